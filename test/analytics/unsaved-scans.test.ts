import assert from "node:assert/strict";
import { test } from "node:test";
import { referrerHost } from "../../src/analytics/referrer-host.ts";
import { UnsavedScans } from "../../src/analytics/unsaved-scans.ts";
import {
  countryCode,
  countryNumber,
  countryOf,
  deviceOf,
  isRobot,
  offWord,
  unknownWord,
  visitorWord,
} from "../../src/analytics/visitor-word.ts";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import { LinkTable } from "../../src/link/link-table.ts";
import { ProjectStates } from "../../src/link/project-states.ts";
import { keyOfWords } from "../../src/link/slug.ts";
import { Zones } from "../../src/link/zones.ts";

function emptyTable(links: number): { table: LinkTable; slots: number[] } {
  const table = new LinkTable(100, new ProjectStates(), new Zones());
  return { table, slots: Array.from({ length: links }, (_, n) => table.insert(keyOfWords(1, n))) };
}

const german = visitorWord(countryNumber("DE"), "ios", false);

test("a visitor's word says country, device and robot, and nothing else fits into it", () => {
  for (const country of ["AA", "CH", "US", "ZZ", null]) {
    for (const device of ["ios", "android", "desktop"] as const) {
      for (const robot of [true, false]) {
        const word = visitorWord(countryNumber(country), device, robot);
        assert.ok(word > 0 && word < 2 ** 16);
        assert.deepEqual(
          [countryOf(word), deviceOf(word), isRobot(word)],
          [country ?? "unknown", device, robot],
        );
      }
    }
  }
  assert.deepEqual([countryOf(unknownWord), deviceOf(unknownWord)], ["unknown", "unknown"]);
  for (const country of ["AA", "CH", "US", "ZZ"]) assert.equal(countryCode(countryNumber(country)), country);
  assert.equal(countryCode(countryNumber(null)), null);
});

test("what is added to a link is taken from it, once", () => {
  const { table, slots } = emptyTable(3);
  const unsaved = new UnsavedScans(table, 1_000);
  const [one, two, three] = slots as [number, number, number];
  for (let n = 0; n < 5; n++) unsaved.add(one, 7, german, "");
  unsaved.add(one, 8, german, "https://News.example/a");
  unsaved.add(two, 7, offWord, "https://news.example/");
  unsaved.add(two, 9, offWord, "");
  const seen = { isRobot: false, country: "DE", device: "ios" };
  assert.deepEqual(unsaved.take(one), {
    off: 0,
    seen: [
      { ...seen, hour: 8 * hourMs, referrer: "news.example", scans: 1 },
      { ...seen, hour: 7 * hourMs, referrer: "direct", scans: 5 },
    ],
  });
  assert.deepEqual(unsaved.take(one), { off: 0, seen: [] });
  assert.deepEqual(unsaved.take(two), { off: 2, seen: [] });
  assert.deepEqual(unsaved.take(three), { off: 0, seen: [] });
  assert.deepEqual([unsaved.entries, unsaved.hosts], [0, 0]);
});

test("a link with very many visitors and hosts keeps every scan, the rare ones together", () => {
  const { table, slots } = emptyTable(1);
  const unsaved = new UnsavedScans(table, 10_000);
  for (let n = 0; n < 3_000; n++) unsaved.add(slots[0]!, 5, german, `https://h${n % 1_000}.example/`);
  assert.ok(unsaved.entries < 300, `${unsaved.entries} entries`);
  const { seen } = unsaved.take(slots[0]!);
  assert.equal(
    seen.reduce((all, { scans }) => all + scans, 0),
    3_000,
  );
  assert.ok(seen.some(({ referrer, country }) => referrer === "other" && country === "other"));
  assert.ok(seen.every(({ hour }) => hour === 5 * hourMs));
  assert.equal(unsaved.hosts, 0);
});

test("the slab is bounded, and entries are used again", () => {
  const { table, slots } = emptyTable(100);
  const unsaved = new UnsavedScans(table, 51);
  for (const slot of slots) unsaved.add(slot, 1, german, `https://h${slot}.example/`);
  assert.deepEqual([unsaved.entries, unsaved.unplaced], [50, 50]);
  for (const slot of slots) unsaved.take(slot);
  assert.deepEqual([unsaved.entries, unsaved.hosts], [0, 0]);
  for (const slot of slots.slice(0, 50)) unsaved.add(slot, 1, german, "https://again.example/");
  assert.deepEqual([unsaved.entries, unsaved.unplaced, unsaved.hosts], [50, 50, 1]);
});

test("more referring hosts than are remembered are `other`", () => {
  const { table, slots } = emptyTable(90);
  const unsaved = new UnsavedScans(table, 100_000);
  for (let n = 0; n < 9_000; n++) unsaved.add(slots[n % 90]!, 1, german, `https://h${n}.example/`);
  assert.ok(unsaved.hosts <= 4_095);
  let total = 0;
  for (const slot of slots) for (const { scans } of unsaved.take(slot).seen) total += scans;
  assert.equal(total, 9_000);
  assert.equal(unsaved.hosts, 0);
});

test("of a referrer only the host is taken", () => {
  assert.equal(referrerHost("https://News.Example/path?q=1#x"), "news.example");
  assert.equal(referrerHost("android-app://com.google.android.gm/"), "com.google.android.gm");
  assert.equal(referrerHost("https://user:secret@example.com/"), "other");
  assert.equal(referrerHost("https://example.com:8080"), "example.com");
  assert.equal(referrerHost("nonsense"), "other");
});
