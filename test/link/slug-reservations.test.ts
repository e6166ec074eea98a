import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CodeDoc } from "../../src/domain/documents.ts";
import { newSlug } from "../../src/link/slug.ts";
import { SlugReservations } from "../../src/link/slug-reservations.ts";
import type { AtOnce } from "../../src/runtime/at-once.ts";
import type { Random } from "../../src/runtime/random.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { sampleCode } from "../fakes/sample-documents.ts";

/** Slugs of one character each, in this order. */
function slugsOf(...values: number[]): Random {
  return (bytes) => new Uint8Array(bytes).fill(values.shift()!);
}

const slug = (value: number) => newSlug(slugsOf(value));

type Find = (slug: string) => AtOnce<CodeDoc | null>;

const stored = (...taken: string[]): Find => {
  return (asked) => (taken.includes(asked) ? sampleCode({ slug: asked }) : null);
};

const stores: [name: string, later: (find: Find) => Find][] = [
  ["a store that answers at once", (find) => find],
  ["a store that is waited for", (find) => async (asked) => find(asked)],
];

for (const [name, answering] of stores) {
  describe(`with ${name}`, () => {
    const open = (find: Find, ...values: number[]) =>
      new SlugReservations({ codeBySlug: answering(find) }, slugsOf(...values));

    it("gives a slug that is neither stored nor given to another", async () => {
      const slugs = open(stored(slug(1)), 1, 2, 2, 1, 3);
      assert.equal(await slugs.reserve(), slug(2));
      assert.equal(await slugs.reserve(), slug(3));
    });

    it("gives a slug again that was given back", async () => {
      const slugs = open(stored(), 1, 1, 1, 2);
      assert.equal(await slugs.reserve(), slug(1));
      slugs.release(slug(1));
      assert.equal(await slugs.reserve(), slug(1));
      assert.equal(await slugs.reserve(), slug(2));
    });

    it("keeps no slug when the store fails", async () => {
      let isAway = true;
      const slugs = open(
        () => {
          if (isAway) throw new StoreUnavailable("away");
          return null;
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
  const slugs = new SlugReservations({ codeBySlug: async () => null }, slugsOf(1, 1, 2));
  assert.deepEqual(await Promise.all([slugs.reserve(), slugs.reserve()]), [slug(1), slug(2)]);
});

it("makes no promise where there is nothing to wait for", () => {
  const slugs = new SlugReservations({ codeBySlug: () => null }, slugsOf(1));
  assert.equal(slugs.reserve(), slug(1));
});
