import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpRequest } from "../../src/engine/engine.ts";
import { LinkHead } from "../../src/redirect/link-head.ts";

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)";
const robot = "Googlebot/2.1 (+http://www.google.com/bot.html)";

const withLines = (...lines: [name: string, value: string][]) =>
  ({
    forEach: (each) => {
      for (const [name, value] of lines) each(name, value);
    },
  }) as HttpRequest;

const read = (...lines: [name: string, value: string][]) =>
  new LinkHead("cf-ipcountry").read(withLines(...lines));

test("of a name that is no list the first line counts, also when it is empty", () => {
  assert.deepEqual(read(["user-agent", phone], ["user-agent", robot]).agent, {
    device: "ios",
    isRobot: false,
  });
  assert.deepEqual(read(["user-agent", ""], ["user-agent", phone]).agent, {
    device: "desktop",
    isRobot: false,
  });
  assert.equal(read(["referer", ""], ["referer", "https://a.example/"]).referer, "");
  assert.equal(read(["purpose", "view"], ["purpose", "prefetch"]).purpose, "view");
  assert.equal(read(["sec-purpose", "prefetch"], ["sec-purpose", ""]).secPurpose, "prefetch");
});

test("all lines of X-Forwarded-For are one list", () => {
  const head = read(["x-forwarded-for", ""], ["accept", "*/*"], ["x-forwarded-for", "192.0.2.1, 192.0.2.2"]);
  assert.equal(head.forwardedFor, ", 192.0.2.1, 192.0.2.2");
});

test("a country that comes twice is none, and one that nobody named is not looked at", () => {
  const lines: [string, string][] = [["cf-ipcountry", "FR"]];
  assert.equal(read(...lines).country, "FR");
  assert.equal(read(...lines, ...lines).country, "");
  assert.equal(read(["cf-ipcountry", ""], ...lines).country, "");
  assert.equal(new LinkHead(null).read(withLines(...lines)).country, "");
});

test("a line that says anything of a body is seen, also an empty one in front of another", () => {
  assert.equal(read(["host", "a.example"], ["content-type", "text/plain"]).namesBody, false);
  for (const name of ["content-length", "transfer-encoding"]) {
    assert.equal(read([name, ""]).namesBody, true, name);
    assert.equal(read([name, ""], [name, "44"]).namesBody, true, name);
  }
});

test("nothing of a request is left for the next one", () => {
  const head = new LinkHead("cf-ipcountry");
  const { agents, ...empty } = { ...head };
  const names = ["user-agent", "referer", "purpose", "sec-purpose", "x-forwarded-for", "cf-ipcountry"];
  head.read(withLines(...[...names, "content-length"].map((name): [string, string] => [name, "x"])));
  assert.ok(Object.entries(empty).every(([name, value]) => head[name as keyof typeof empty] !== value));
  const { agents: same, ...after } = { ...head.read(withLines()) };
  assert.equal(same, agents);
  assert.deepEqual(after, empty);
});
