import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { slugsAlikeMax } from "../../src/limits.ts";
import { isSlug, newSlug, slugBeside } from "../../src/link/slug.ts";
import { SlugReservations } from "../../src/link/slug-reservations.ts";
import type { AtOnce } from "../../src/runtime/at-once.ts";
import { type Random, systemRandom } from "../../src/runtime/random.ts";
import { StoreUnavailable } from "../../src/store/store.ts";

/** Slugs of one character each, in this order. */
function slugsOf(...values: number[]): Random {
  return (bytes) => new Uint8Array(bytes).fill(values.shift()!);
}

const slug = (value: number) => newSlug(slugsOf(value));
const beside = (first: number, value: number) => slugBeside(slug(first), slugsOf(value));

type Find = (slug: string) => AtOnce<boolean>;

const stored = (...taken: string[]): Find => {
  return (asked) => !taken.includes(asked);
};

const stores: [name: string, later: (find: Find) => Find][] = [
  ["a store that answers at once", (find) => find],
  ["a store that is waited for", (find) => async (asked) => find(asked)],
];

for (const [name, answering] of stores) {
  describe(`with ${name}`, () => {
    const open = (find: Find, ...values: number[]) =>
      new SlugReservations({ isSlugFree: answering(find) }, slugsOf(...values));

    it("gives a slug that is neither stored nor given to another", async () => {
      const slugs = open(stored(slug(1)), 1, 2, 2, 1);
      assert.equal(await slugs.reserve(), slug(2));
      assert.equal(await slugs.reserve(), beside(2, 1));
    });

    it("gives a slug again that was given back", async () => {
      const slugs = open(stored(), 1, 1, 1, 2);
      assert.equal(await slugs.reserve(), slug(1));
      slugs.release(slug(1));
      assert.equal(await slugs.reserve(), slug(1));
      assert.equal(await slugs.reserve(), beside(1, 2));
    });

    it("keeps no slug when the store fails", async () => {
      let isAway = true;
      const slugs = open(
        () => {
          if (isAway) throw new StoreUnavailable("away");
          return true;
        },
        1,
        1,
      );
      await assert.rejects(async () => slugs.reserve(), StoreUnavailable);
      isAway = false;
      assert.equal(await slugs.reserve(), slug(1));
    });
  });
}

it("reserves while the store is still asked", async () => {
  const slugs = new SlugReservations({ isSlugFree: async () => true }, slugsOf(1, 1, 2));
  assert.deepEqual(await Promise.all([slugs.reserve(), slugs.reserve()]), [slug(1), beside(1, 2)]);
});

/** What the slug begins with: as slugs are read, the rest is forty bits. */
const beginning = (slug: string) => slug.slice(0, "qr-00".length);

it("gives slugs that begin alike to creates that are under way together, up to a number", () => {
  const slugs = new SlugReservations({ isSlugFree: () => true }, systemRandom);
  const given = Array.from({ length: 20 * slugsAlikeMax }, () => slugs.reserve() as string);
  assert.ok(given.every(isSlug));
  assert.equal(new Set(given).size, given.length);
  const beginnings = given.map(beginning);
  for (let from = 0; from < given.length; from += slugsAlikeMax) {
    assert.equal(new Set(beginnings.slice(from, from + slugsAlikeMax)).size, 1, `those from ${from} on`);
  }
  assert.ok(new Set(beginnings).size > 10, "a number of them begins anew");
});

it("gives slugs that have nothing in common to creates one after the other", () => {
  const slugs = new SlugReservations({ isSlugFree: () => true }, systemRandom);
  const beginnings = Array.from({ length: 200 }, () => {
    const slug = slugs.reserve() as string;
    slugs.release(slug);
    return beginning(slug);
  });
  assert.ok(new Set(beginnings).size > 150, `only ${new Set(beginnings).size} beginnings`);
});

it("makes no promise where there is nothing to wait for", () => {
  const slugs = new SlugReservations({ isSlugFree: () => true }, slugsOf(1));
  assert.equal(slugs.reserve(), slug(1));
});
