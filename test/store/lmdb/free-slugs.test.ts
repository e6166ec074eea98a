/** That a slug is free is told without a look at the index where that is known, and never of one that a code has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Write } from "../../../src/domain/documents.ts";
import { freeSlugsAsked, slugsBesideMax } from "../../../src/limits.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import type { Texts } from "../../../src/store/lmdb/environment.ts";
import { FreeSlugs } from "../../../src/store/lmdb/free-slugs.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { UniqueViolation } from "../../../src/store/store.ts";
import { numbered, sampleCode } from "../../fakes/sample-documents.ts";
import { dice } from "../../support/dice.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { assertIndexesAgree } from "./consistency.ts";

const slugOf = (beginning: string, number: number) => `qr-${beginning}${String(number).padStart(8, "0")}`;

/** Counts the looks. */
class Index implements Pick<Texts, "doesExist" | "getKeys"> {
  looks = 0;
  ranges = 0;
  readonly slugs = new Set<string>();

  doesExist(slug: string): boolean {
    this.looks++;
    return this.slugs.has(slug);
  }

  getKeys(options: { start: string; end: string; limit: number }): ReturnType<Texts["getKeys"]> {
    this.ranges++;
    const { start, end, limit } = options;
    const found = [...this.slugs].filter((slug) => slug >= start && slug < end);
    return found.slice(0, limit) as unknown as ReturnType<Texts["getKeys"]>;
  }
}

const stores = (slug: string): Write => ({ collection: "codes", put: sampleCode({ slug }) });

test("slugs that begin alike are looked for one by one at first, and then no more", () => {
  const index = new Index();
  index.slugs.add(slugOf("aa", 1_000)).add(slugOf("bb", 1_000));
  const free = new FreeSlugs(index);
  for (let at = 1; at < freeSlugsAsked; at++) assert.equal(free.ask(slugOf("aa", at)), true);
  assert.deepEqual([index.looks, index.ranges], [freeSlugsAsked - 1, 0]);
  for (let at = freeSlugsAsked; at < 200; at++) {
    assert.equal(free.ask(slugOf("aa", at)), true);
    assert.equal(free.isFree(slugOf("aa", at)), true);
  }
  assert.deepEqual([index.looks, index.ranges], [freeSlugsAsked - 1, 1]);
  assert.equal(free.ask(slugOf("aa", 1_000)), false);
  assert.equal(free.ask(slugOf("bb", 1_000)), false);
});

test("what a commit stored since is not free, and what it removed is", () => {
  const index = new Index();
  index.slugs.add(slugOf("aa", 1_000));
  const free = new FreeSlugs(index);
  for (let at = 0; at < freeSlugsAsked; at++) free.ask(slugOf("aa", at));
  index.slugs.add(slugOf("aa", 1)).delete(slugOf("aa", 1_000));
  free.written([stores(slugOf("aa", 1)), stores(slugOf("bb", 1)), { collection: "codes", remove: "qr_9" }]);
  assert.equal(free.isFree(slugOf("aa", 1)), false);
  assert.equal(free.isFree(slugOf("aa", 2)), true);
  assert.equal(free.isFree(slugOf("aa", 1_000)), true);
});

test("where too many begin alike, each is looked for", () => {
  const index = new Index();
  for (let at = 0; at <= slugsBesideMax; at++) index.slugs.add(slugOf("aa", 1_000 + at));
  const free = new FreeSlugs(index);
  for (let at = 0; at < 100; at++) assert.equal(free.ask(slugOf("aa", at)), true);
  assert.deepEqual([index.looks, index.ranges], [100, 1]);
  assert.equal(free.isFree(slugOf("aa", 1_000 + slugsBesideMax)), false);
});

test("of codes that come, go and change their slugs at the same time, no two ever have the same", async () => {
  const path = temporaryFolder();
  const store = await openLmdbStore({ path, assertDocument });
  const { below, chance } = dice(31, 0);
  const ids = 60;
  const outcomes = { stored: 0, refused: 0, free: 0, taken: 0 };
  const holders = new Map<string, string>();
  for (let round = 0; round < 150; round++) {
    const beginning = chance(0.2) ? "bb" : "aa";
    const asked = Array.from({ length: 24 }, () => slugOf(beginning, below(80)));
    const underWay: Promise<void>[] = [];
    for (const slug of asked) {
      const isFree = await store.isSlugFree(slug);
      outcomes[isFree ? "free" : "taken"]++;
      if (chance(0.3)) await nextTurn();
      if (!chance(0.3)) continue;
      const id = numbered("qr", below(ids));
      const write: Write = chance(0.2)
        ? { collection: "codes", remove: id }
        : { collection: "codes", put: sampleCode({ id, slug }) };
      underWay.push(
        store.commit([write]).then(
          () => {
            outcomes.stored++;
            for (const [held, holder] of holders) if (holder === id) holders.delete(held);
            if ("remove" in write) return;
            assert.equal(holders.get(slug), undefined, `${slug} has two codes`);
            holders.set(slug, id);
          },
          (error: unknown) => {
            assert.ok(error instanceof UniqueViolation);
            outcomes.refused++;
          },
        ),
      );
    }
    await Promise.all(underWay);
    for (let at = 0; at < 80; at++) {
      const slug = slugOf(beginning, at);
      assert.equal(await store.isSlugFree(slug), !holders.has(slug), slug);
    }
  }
  await store.close();
  assert.ok(outcomes.stored > 300 && outcomes.refused > 100, JSON.stringify(outcomes));
  assert.ok(outcomes.free > 300 && outcomes.taken > 300, JSON.stringify(outcomes));
  await assertIndexesAgree(path);
});
