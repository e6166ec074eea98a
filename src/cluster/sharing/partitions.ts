/**
 * Partitions: which member owns which accounts, and what has to move when members come and go.
 *
 * An account belongs to one of 256 partitions by a hash of its id. The member that *should* have a partition is the one
 * that draws the highest number for it (rendezvous hashing): everybody who knows the same members comes to the same
 * answer without a word, a newcomer takes partitions from all others alike and from nobody to anybody else, and those
 * of a member that goes are spread over all that stay. Who *has* a partition is for the keeper to say (`keeper.ts`).
 *
 * Rejected: a ring with many points a member, which is more to keep for the same spread; shares dealt out evenly, which
 * moves partitions between members that neither came nor went.
 */
import { partitionsMax } from "../../limits.ts";

/** A member is named by its epoch. */
export type MemberEpoch = number;

/** Who has a partition, by its number; null: nobody yet. */
export type PartitionOwners = readonly (MemberEpoch | null)[];

export interface Move {
  partition: number;
  to: MemberEpoch;
}

/** FNV-1a over the characters of an id, which are ASCII. Every member of every version has to agree. */
export function partitionOf(accountId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < accountId.length; at++) {
    hash = Math.imul(hash ^ accountId.charCodeAt(at), 0x01000193);
  }
  return mixed(hash) % partitionsMax;
}

/** Who should have the partition; null when there is no member. */
export function favourite(partition: number, members: Iterable<MemberEpoch>): MemberEpoch | null {
  let best: MemberEpoch | null = null;
  let highest = -1;
  for (const member of members) {
    const drawn = draw(partition, member);
    if (drawn < highest || (drawn === highest && member > best!)) continue;
    highest = drawn;
    best = member;
  }
  return best;
}

/** What this member has and should not have, and to whom each of it goes; at most so many. */
export function surplus(
  self: MemberEpoch,
  owners: PartitionOwners,
  members: ReadonlySet<MemberEpoch>,
  movesMax: number,
): Move[] {
  const moves: Move[] = [];
  for (let partition = 0; partition < owners.length && moves.length < movesMax; partition++) {
    if (owners[partition] !== self) continue;
    const to = favourite(partition, members);
    if (to !== null && to !== self) moves.push({ partition, to });
  }
  return moves;
}

function draw(partition: number, member: MemberEpoch): number {
  return mixed(mixed(member ^ 0x9e3779b9) ^ Math.imul(partition + 1, 0x85ebca6b));
}

/** Every bit of the result depends on every bit of the number: the last step of MurmurHash3. */
function mixed(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
