import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { flag, inlineUrlBytes, type LinkFields, LinkTable } from "../../src/link/link-table.ts";
import { ProjectStates } from "../../src/link/project-states.ts";
import {
  highWord,
  isSlug,
  keyOfWords,
  lowWord,
  newSlug,
  noSlug,
  type SlugKey,
  slugKey,
  slugOfKey,
} from "../../src/link/slug.ts";
import { Zones } from "../../src/link/zones.ts";
import { base32 } from "../../src/runtime/ids.ts";

const plain = (url: string): LinkFields => ({
  flags: 0,
  expiresAt: 0,
  limit: 0,
  url,
  text: null,
  rules: null,
});

/** The key of a small number. */
const k = (n: number) => keyOfWords(0, n);

function tableOf(linksMax: number) {
  const projects = new ProjectStates();
  const zones = new Zones();
  const table = new LinkTable(linksMax, projects, zones);
  const add = (key: SlugKey, url: string, project = "p") => {
    const slot = table.insert(key);
    if (slot >= 0) table.describe(slot, projects.add(project, "acc", false), plain(url));
    return slot;
  };
  return { projects, zones, table, add };
}

test("a slug is its key, a key is its two words, and nothing else is a slug", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
      const slug = newSlug(() => bytes);
      assert.equal(slug.length, 13);
      const key = slugKey(slug);
      assert.equal(slugOfKey(key), slug);
      assert.equal(keyOfWords(highWord(key), lowWord(key)), key);
    }),
  );
  assert.equal(new Set(base32).size, 32);
  for (const text of [
    "",
    "qr-",
    "qr-012345678",
    "qr-01234567890",
    "qr-012345678i",
    "qr-012345678I",
    "qr-012345678L",
    "qr-012345678O",
    "qr-012345678U",
    "qx-0123456789",
    "\u0171r-0123456789",
  ]) {
    assert.equal(isSlug(text), false, text);
    assert.equal(slugKey(text), noSlug);
  }
  assert.equal(isSlug("qr-\u0100123456789"), false);
  fc.assert(
    fc.property(fc.string({ minLength: 10, maxLength: 10 }), (text) => {
      const valid = [...text].every((char) => base32.includes(char.toLowerCase()));
      assert.equal(isSlug(`qr-${text}`), valid && /^[0-9A-Za-z]{10}$/.test(text));
    }),
  );
});

test("a slug in capitals, or in both cases, is the same slug", () => {
  assert.equal(new Set(base32.toUpperCase()).size, base32.length);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), fc.nat(2 ** 13), (bytes, capitals) => {
      const slug = newSlug(() => bytes);
      const typed = [...slug]
        .map((char, at) => (((capitals >> at) & 1) === 1 ? char.toUpperCase() : char))
        .join("");
      for (const spelling of [typed, slug.toUpperCase()]) {
        assert.equal(slugKey(spelling), slugKey(slug));
      }
    }),
  );
});

test("the table answers like a map through growth, removal and reuse", () => {
  const key = fc.integer({ min: 0, max: 400 });
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("add" as const), key, url: fc.webUrl({ size: "small" }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), key }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("scan" as const), key }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("bulk" as const), from: fc.nat(20) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const { table, add } = tableOf(1_000_000);
      const model = new Map<number, { url: string; count: number }>();
      const keyOf = (n: number) => keyOfWords(n & 3, n);
      const find = (n: number) => table.find(keyOf(n));
      for (const at of steps) {
        if (at.kind === "bulk") {
          // Enough to make the index grow in the middle of everything else.
          for (let n = 0; n < 300; n++) {
            const many = 1_000 + at.from * 300 + n;
            if (model.has(many)) continue;
            add(keyOf(many), `https://b.example/${many}`);
            model.set(many, { url: `https://b.example/${many}`, count: 0 });
          }
        } else if (at.kind === "add" && !model.has(at.key)) {
          add(keyOf(at.key), at.url);
          model.set(at.key, { url: at.url, count: 0 });
        } else if (at.kind === "remove" && model.delete(at.key)) {
          table.remove(find(at.key));
        } else if (at.kind === "scan" && model.has(at.key)) {
          model.get(at.key)!.count++;
          table.addScan(find(at.key));
        }
      }
      assert.equal(table.size, model.size);
      for (const [n, { url, count }] of model) {
        assert.equal(table.url(find(n)), url);
        assert.equal(table.count(find(n)), count);
      }
      for (let n = 0; n <= 400; n++) if (!model.has(n)) assert.equal(find(n), -1);
    }),
    { numRuns: 60 },
  );
});

test("two hundred thousand links are all found, also while the index is being carried over", () => {
  const { table, add } = tableOf(1_000_000);
  const keyOf = (n: number) => keyOfWords((Math.imul(n, 2_654_435_761) >>> 7) & 0x1ffffff, n);
  for (let n = 0; n < 200_000; n++) {
    add(keyOf(n), "https://example.com/");
    const earlier = (n * 7) % (n + 1);
    assert.ok(table.find(keyOf(earlier)) >= 0, `${earlier} after ${n}`);
  }
  for (let n = 0; n < 200_000; n += 2) table.remove(table.find(keyOf(n)));
  for (let n = 0; n < 200_000; n++) assert.equal(table.find(keyOf(n)) >= 0, n % 2 === 1);
});

test("a target that does not fit the record is kept beside it", () => {
  const { table, add } = tableOf(10);
  const fits = `https://example.com/${"a".repeat(inlineUrlBytes - 20)}`;
  const slot = add(keyOfWords(1, 1), fits);
  assert.equal(table.flags(slot) & flag.long, 0);
  assert.equal(table.url(slot), fits);
  const words = new Uint32Array(40);
  assert.equal(table.copyUrl(slot, words, 3), fits.length);
  assert.equal(Buffer.from(words.buffer, 12, fits.length).toString(), fits);

  table.describe(slot, table.project(slot), plain(`${fits}b`));
  assert.equal(table.flags(slot) & flag.long, flag.long);
  assert.equal(table.url(slot), `${fits}b`);
  table.describe(slot, table.project(slot), plain("https://short.example/"));
  assert.equal(table.flags(slot) & flag.long, 0);
  assert.equal(table.url(slot), "https://short.example/");
});

test("at the bound an idle link makes room, a scanned one gets a second chance, an unsaved one stays", () => {
  const { table, add } = tableOf(4);
  for (let n = 0; n < 4; n++) add(k(n), "https://example.com/");
  table.addScan(table.find(k(0)));
  table.addScan(table.find(k(1)));
  for (const slot of table.takeDirty()) {
    if (table.keyAt(slot) === k(1)) table.markSaved(slot, k(1), table.count(slot));
    else table.returnDirty([slot]);
  }
  add(k(4), "https://example.com/");
  add(k(5), "https://example.com/");
  const present = () => [0, 1, 2, 3, 4, 5, 6].filter((n) => table.find(k(n)) >= 0);
  assert.deepEqual(present(), [0, 1, 4, 5]);
  add(k(6), "https://example.com/");
  assert.deepEqual(present().length, 4);
  assert.ok(present().includes(0), "its count is not saved");
  for (let n = 10; n < 30; n++) add(k(n), "https://example.com/");
  assert.ok(table.find(k(0)) >= 0);
});

test("when every count is unsaved no link is let go", () => {
  const { table, add } = tableOf(3);
  for (let n = 0; n < 3; n++) table.addScan(add(k(n), "https://example.com/"));
  assert.equal(add(k(9), "https://example.com/"), -1);
  assert.equal(table.size, 3);
  for (const slot of table.takeDirty()) table.markSaved(slot, table.keyAt(slot), table.count(slot));
  assert.ok(add(k(9), "https://example.com/") >= 0);
});

test("a link scanned while its count was being saved stays unsaved", () => {
  const { table, add } = tableOf(3);
  const slot = add(k(1), "https://example.com/");
  table.addScan(slot);
  const taken = table.takeDirty();
  const saved = table.count(slot);
  table.addScan(slot);
  assert.deepEqual(table.takeDirty(), []);
  for (const dirty of taken) table.markSaved(dirty, k(1), saved);
  assert.deepEqual(table.takeDirty(), [slot]);
});

test("a project is known as long as a link refers to it", () => {
  const { table, projects, add } = tableOf(10);
  for (let n = 0; n < 200; n++) {
    const small = tableOf(10);
    small.add(k(n), "https://example.com/", `p${n}`);
  }
  const slot = add(k(1), "https://example.com/", "a");
  const other = add(k(2), "https://example.com/", "a");
  projects.setArchived("a", true);
  assert.ok(projects.isArchived(table.project(slot)));
  table.remove(slot);
  assert.ok(projects.isArchived(table.project(other)));
  table.remove(other);
  assert.equal(projects.indexOf("a"), -1);
  assert.equal(projects.size, 0);
  for (let n = 0; n < 300; n++) projects.add(`many${n}`, "acc", n % 2 === 0);
  for (let n = 0; n < 300; n++) assert.equal(projects.isArchived(projects.indexOf(`many${n}`)), n % 2 === 0);
});

test("a time zone is known as long as a link reads its schedules by it", () => {
  const { table, projects, zones, add } = tableOf(2);
  const scheduled = { ...plain("https://example.com/"), rules: [] };
  const first = add(k(1), "https://example.com/");
  const second = add(k(2), "https://example.com/");
  const zone = zones.add("acc", "UTC");
  for (const slot of [first, second, first]) table.describe(slot, projects.indexOf("p"), scheduled, zone);
  zones.change("acc", "Asia/Tokyo");
  assert.equal(table.extra(second)!.zone!.timezone, "Asia/Tokyo");
  table.describe(first, projects.indexOf("p"), plain("https://example.com/"));
  assert.equal(zones.get("acc"), zone);
  for (let n = 3; n < 6; n++) add(k(n), "https://example.com/");
  assert.equal(table.find(k(2)), -1, "let go for another");
  assert.equal(zones.size, 0);
  zones.change("acc", "UTC");
  assert.equal(zones.size, 0);
});
