/** What is a URL stays one however often it is asked: a built-in check changes its mind once it is compiled. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyBlockList, parseBlockList } from "../../../src/domain/target/block-list.ts";
import { checkUrl } from "../../../src/domain/target/url-safety.ts";

const often = 30_000;
const policy = { ownHosts: new Set<string>(), blockList: emptyBlockList };

test("a host name with an umlaut is accepted the thousandth time too", () => {
  for (let time = 0; time < often; time++) {
    assert.equal(checkUrl("url", "https://example.com/a", policy), "https://example.com/a");
    assert.equal(checkUrl("url", "https://müller.de/ü", policy), "https://xn--mller-kva.de/%C3%BC");
  }
});

test("a long block list may name hosts with umlauts anywhere", () => {
  const lines = Array.from({ length: often }, (_, line) => `https://example.com/${line}\nmüller${line}.de`);
  assert.ok(parseBlockList(lines.join("\n")).lists(new URL(`https://müller${often - 1}.de/`)));
});
