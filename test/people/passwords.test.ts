import assert from "node:assert/strict";
import { test } from "node:test";
import { passwordsAtOnceMax, passwordsWaitingMax } from "../../src/limits.ts";
import { openPasswords } from "../../src/people/passwords.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { Cancelled } from "../../src/store/store.ts";

const wanted = new AbortController().signal;
const asker = { origin: "203.0.113.1", unwanted: wanted };

test("what is stored fits its password, in any composition of its letters, and no other", async () => {
  const passwords = openPasswords(systemRandom);
  const stored = await passwords.hash("Zo\u00eb's horse", asker);
  assert.match(stored, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.ok(await passwords.fits("Zoe\u0308's horse", stored, asker));
  assert.ok(!(await passwords.fits("Zoe's horse", stored, asker)));
  assert.ok(!(await passwords.fits("", stored, asker)));
  assert.notEqual(await passwords.hash("Zo\u00eb's horse", asker), stored);
});

test("without anything to compare it with a password is worked on all the same, and fits nothing", async () => {
  const passwords = openPasswords(systemRandom);
  const stored = await passwords.hash("some password", asker);
  const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < 3; attempt++) {
    for (const against of [stored, null]) {
      const began = performance.now();
      assert.ok(!(await passwords.fits("another password", against, asker)));
      const who = against === null ? "unknown" : "known";
      least[who] = Math.min(least[who], performance.now() - began);
    }
  }
  assert.ok(least.unknown > least.known / 4, `${least.known} ms and ${least.unknown} ms`);
});

test("few are worked on at a time, others wait in turn by origin, and those without room are refused", async () => {
  const passwords = openPasswords(systemRandom);
  const crowd = Array.from({ length: passwordsAtOnceMax + passwordsWaitingMax + 10 }, () =>
    passwords.hash("x", asker).then(
      () => "done",
      (refusal: { code: string }) => refusal.code,
    ),
  );
  const other = passwords.hash("y", { origin: "198.51.100.1", unwanted: wanted }).then(() => "done");
  const first = await Promise.race([other, crowd.at(20)!.then(() => "crowd")]);
  assert.equal(first, "done");
  const outcomes = await Promise.all(crowd);
  assert.ok(outcomes.includes("unavailable"));
  assert.ok(outcomes.filter((outcome) => outcome === "done").length >= passwordsWaitingMax);
});

test("one that nobody waits for any more is left", async () => {
  const passwords = openPasswords(systemRandom);
  const gone = new AbortController();
  const busy = passwords.hash("x", asker);
  const left = passwords.hash("y", { ...asker, unwanted: gone.signal });
  gone.abort();
  await assert.rejects(left, Cancelled);
  await busy;
});
