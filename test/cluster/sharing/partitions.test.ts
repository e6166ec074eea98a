import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  favourite,
  type MemberEpoch,
  type PartitionOwners,
  partitionOf,
  surplus,
} from "../../../src/cluster/sharing/partitions.ts";
import { partitionMovesMax, partitionsMax } from "../../../src/limits.ts";

const all = Array.from({ length: partitionsMax }, (_, partition) => partition);
const epochs = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 }), { minLength: 1, maxLength: 12 });

const favourites = (members: Iterable<MemberEpoch>): PartitionOwners =>
  all.map((partition) => favourite(partition, members));

/** One round: everybody gives away some of what it should not have. */
function round(owners: PartitionOwners, members: ReadonlySet<MemberEpoch>): PartitionOwners {
  const next = [...owners];
  for (const self of members) {
    for (const { partition, to } of surplus(self, owners, members, partitionMovesMax)) next[partition] = to;
  }
  return next;
}

test("accounts are spread over all partitions, and each stays where it is", () => {
  const counts = new Array<number>(partitionsMax).fill(0);
  const accounts = 100 * partitionsMax;
  for (let n = 0; n < accounts; n++) counts[partitionOf(`acc_${n.toString(36).padStart(20, "0")}`)]! += 1;
  assert.ok(
    Math.min(...counts) > 50 && Math.max(...counts) < 150,
    `${Math.min(...counts)}–${Math.max(...counts)}`,
  );
  // Stored ownership depends on it: these numbers may never change.
  assert.deepEqual(["acc_1", "acc_2", "acc_01hzy5c0q6w8", ""].map(partitionOf), [56, 125, 39, 11]);
});

test("everybody comes to the same answer, in whatever order they know the members", () => {
  fc.assert(
    fc.property(epochs, (members) => {
      assert.deepEqual(favourites(members), favourites([...members].reverse()));
      assert.ok(favourites(members).every((owner) => members.includes(owner!)));
    }),
  );
  assert.equal(favourite(0, []), null);
});

test("a newcomer takes from others and nothing moves between them; who goes leaves the others' alone", () => {
  fc.assert(
    fc.property(epochs, fc.integer({ min: 1, max: 2 ** 31 }), (members, newcomer) => {
      fc.pre(!members.includes(newcomer));
      const [before, after] = [favourites(members), favourites([...members, newcomer])];
      for (const partition of all) {
        assert.ok(after[partition] === before[partition] || after[partition] === newcomer);
      }
    }),
  );
});

test("members have about as many partitions each", () => {
  for (const members of [2, 3, 5, 8]) {
    for (let first = 1; first < 2_000; first += 37) {
      const owners = favourites(Array.from({ length: members }, (_, n) => first + n));
      const counts = new Map<MemberEpoch, number>();
      for (const owner of owners) counts.set(owner!, (counts.get(owner!) ?? 0) + 1);
      const most = Math.max(...counts.values());
      assert.ok(
        most < 1.9 * (partitionsMax / members),
        `${most} of ${partitionsMax} with ${members} members`,
      );
      assert.equal(counts.size, members);
    }
  }
});

test("whoever has what, all is where it should be after some rounds, and no partition moved twice", () => {
  const owner = fc.nat(14);
  fc.assert(
    fc.property(
      epochs,
      fc.array(owner, { minLength: partitionsMax, maxLength: partitionsMax }),
      (known, had) => {
        const members = new Set(known);
        let owners: PartitionOwners = had.map((n) => known[n % known.length]!);
        const moved = new Array<number>(partitionsMax).fill(0);
        for (let rounds = 0; ; rounds++) {
          const next = round(owners, members);
          next.forEach((to, partition) => {
            if (to !== owners[partition]) moved[partition]! += 1;
          });
          if (next.every((to, partition) => to === owners[partition])) break;
          owners = next;
          assert.ok(rounds <= partitionsMax / partitionMovesMax + 1);
        }
        assert.deepEqual(owners, favourites(members));
        assert.ok(moved.every((times) => times <= 1));
      },
    ),
    { numRuns: 100 },
  );
});

test("nobody gives away what others have", () => {
  fc.assert(
    fc.property(epochs, fc.nat(), (known, seed) => {
      const members = new Set(known);
      const owners: PartitionOwners = all.map((partition) => known[(partition * 7 + seed) % known.length]!);
      for (const self of known) {
        const moves = surplus(self, owners, members, partitionMovesMax);
        assert.ok(moves.length <= partitionMovesMax);
        for (const { partition, to } of moves) {
          assert.equal(owners[partition], self);
          assert.equal(to, favourite(partition, members));
          assert.notEqual(to, self);
        }
      }
    }),
  );
});
