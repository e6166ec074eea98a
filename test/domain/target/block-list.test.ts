import assert from "node:assert/strict";
import { test } from "node:test";
import {
  emptyBlockList,
  parseBlockList,
  parseBlockListInSteps,
} from "../../../src/domain/target/block-list.ts";

const lists = (text: string, url: string) => parseBlockList(text).lists(new URL(url));

test("blank lines, comments, a byte order mark and Windows line ends are no entries", () => {
  const list = parseBlockList("\uFEFF# head\r\n\r\n  evil.com  # why\r\n\t\r\nbad.org\r\n#tail");
  assert.equal(list.size, 2);
  assert.equal(list.lists(new URL("https://evil.com/")), "evil.com");
  assert.equal(list.lists(new URL("https://bad.org/")), "bad.org");
  assert.equal(parseBlockList("\uFEFFevil.com").lists(new URL("https://evil.com/")), "evil.com");
});

test("no list lists nothing", () => {
  assert.equal(emptyBlockList.size, 0);
  assert.equal(emptyBlockList.lists(new URL("https://evil.com/")), null);
  assert.equal(lists("", "https://evil.com/"), null);
});

test("a host covers its subdomains, whatever the case, port and spelling", () => {
  for (const entry of ["evil.com", "EVIL.com", "evil.com."]) {
    assert.equal(lists(entry, "https://a.b.evil.com:8443/x"), "evil.com");
    assert.equal(lists(entry, "https://evil.com./"), "evil.com");
    assert.equal(lists(entry, "https://notevil.com/"), null);
    assert.equal(lists(entry, "https://evil.com.org/"), null);
  }
  for (const entry of ["bücher.de", "BÜCHER.DE", "xn--bcher-kva.de"]) {
    assert.equal(lists(entry, "https://www.bücher.de/"), "xn--bcher-kva.de");
  }
});

test("an address is listed in all its spellings", () => {
  for (const entry of ["8.8.8.8", "134744072", "::ffff:8.8.8.8"]) {
    assert.equal(lists(entry, "http://0x08080808/"), "8.8.8.8");
    assert.equal(lists(entry, "http://[::ffff:808:808]/"), "8.8.8.8");
    assert.equal(lists(entry, "http://18.8.8.8/"), null);
  }
  for (const entry of ["2001:4860::a", "2001:4860::A", "[2001:4860:0:0:0:0:0:a]"]) {
    assert.equal(lists(entry, "http://[2001:4860::a]/"), "[2001:4860::a]");
  }
});

test("the start of a URL covers what begins with it, on that host and port only", () => {
  const text = "https://host.com/~bad/\nother.com/a?b=\nport.com:8080\nhttps://whole.com\nspa.com/#/phish";
  assert.equal(lists(text, "https://host.com/~bad/x"), "host.com/~bad/");
  assert.equal(lists(text, "http://host.com/%7Ebad/x"), "host.com/~bad/");
  assert.equal(lists(text, "https://host.com/~BAD/x"), null);
  assert.equal(lists(text, "https://host.com:8443/~bad/x"), null);
  assert.equal(lists(text, "https://sub.host.com/~bad/x"), null);
  assert.equal(lists(text, "https://other.com/a?b=c"), "other.com/a?b=");
  assert.equal(lists(text, "https://other.com/a?c=b"), null);
  assert.equal(lists(text, "http://port.com:8080/x"), "port.com:8080/");
  assert.equal(lists(text, "http://port.com/x"), null);
  assert.equal(lists(text, "http://whole.com/any"), "whole.com/");
  assert.equal(lists(text, "http://whole.company.com/any"), null);
  assert.equal(lists(text, "https://spa.com/#/phish/1"), "spa.com/#/phish");
  assert.equal(lists(text, "https://spa.com/#/fine"), null);
});

test("several starts on one site all count, and http and https are the same", () => {
  const text = "http://Host.com/one\nHTTPS://host.com/two\nhost.com/three:a:b\n1.2.3.4/8x\n1.2.3.4/5/6";
  for (const [url, entry] of [
    ["https://host.com/one/", "host.com/one"],
    ["http://host.com/two", "host.com/two"],
    ["http://host.com/three:a:b", "host.com/three:a:b"],
    ["http://1.2.3.4/8xyz", "1.2.3.4/8x"],
    ["http://1.2.3.4/5/67", "1.2.3.4/5/6"],
    ["http://host.com/four", null],
  ] as const) {
    assert.equal(lists(text, url), entry, url);
  }
});

test("a letter may be escaped, a sign that parts a URL is another one when it is", () => {
  const text = "host.com/%61%62c\nsign.com/a%2fb\nplain.com/a/b";
  assert.equal(lists(text, "https://host.com/abc"), "host.com/abc");
  assert.equal(lists(text, "https://host.com/a%62%63"), "host.com/abc");
  assert.equal(lists(text, "https://sign.com/a%2Fb"), "sign.com/a%2Fb");
  assert.equal(lists(text, "https://sign.com/a/b"), null);
  assert.equal(lists(text, "https://plain.com/a%2fb"), null);
});

test("a long bad line is shown by its start", () => {
  const line = `${"x".repeat(99)}yz w`;
  const message = `line 1: "${"x".repeat(99)}y" is neither a host nor an http(s) URL`;
  assert.throws(() => parseBlockList(line), { message });
});

test("a bad line is named by its number", () => {
  const bad = [
    "two words",
    "*.evil.com",
    ".evil.com",
    "evil..com",
    "ftp://evil.com/",
    "http://",
    "user@evil.com",
    "http://:secret@evil.com",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "evil.com\\x",
    "1.2.3.999",
    "0.0.0.0 evil.com",
  ];
  for (const line of bad) {
    assert.throws(() => parseBlockList(`# one\ngood.com\n${line}\n`), {
      name: "BlockListError",
      message: /^line 3: /,
    });
  }
});

test("a list is read in steps of two thousand lines", () => {
  const steps = parseBlockListInSteps("a.com\n".repeat(4_001));
  assert.deepEqual([steps.next().done, steps.next().done, steps.next().done], [false, false, true]);
  assert.equal(parseBlockList("a.com\n".repeat(4_001)).size, 4_001);
});

test("a million hosts are read in short steps and looked up fast", () => {
  const lines = Array.from({ length: 1_000_000 }, (_, index) => `host-${index}.listed-${index % 1000}.com`);
  const steps = parseBlockListInSteps(lines.join("\n"));
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  assert.equal(count, 500);
  const list = step.value;
  assert.equal(list.size, 1_000_000);
  const hit = new URL("https://a.b.host-999999.listed-999.com/");
  const miss = new URL("https://host-999999.listed-998.com/");
  const start = performance.now();
  for (let round = 0; round < 10_000; round += 1) {
    assert.equal(list.lists(hit), "host-999999.listed-999.com");
    assert.equal(list.lists(miss), null);
  }
  const microseconds = ((performance.now() - start) * 1000) / 20_000;
  assert.ok(microseconds < 100, `${microseconds} µs a look-up`);
});
