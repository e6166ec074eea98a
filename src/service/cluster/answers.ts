/**
 * What this member answers to others: one line for each of their questions (`bus/messages.ts`), in every role. Whoever is
 * asked for what it cannot do, or may not do for who asks, refuses: then it is certain that nothing was done.
 */
import { type Answerers, nothing } from "../../cluster/bus/messages.ts";
import { Refused, type Talk } from "../../cluster/bus/talk.ts";
import type { Followers } from "../../cluster/followers.ts";
import type { Following } from "../../cluster/following.ts";
import type { Lease } from "../../cluster/lease.ts";
import type { Reach } from "../../cluster/reach.ts";
import type { Deputyship } from "../../cluster/sharing/deputyship.ts";
import type { Keeper } from "../../cluster/sharing/keeper.ts";
import { partitionOf } from "../../cluster/sharing/partitions.ts";
import type { Asking } from "./asking.ts";
import type { BeyondAccounts } from "./beyond-accounts.ts";
import type { Deciding, DecidingParts } from "./deciding.ts";
import type { KnownMembers } from "./known-members.ts";
import type { RateLegacy } from "./rate-legacy.ts";
import type { ServedCopies } from "./served-copies.ts";

/** What it answers from. */
export interface AnswerParts {
  lease(): Lease;
  followers: Followers;
  following: Following;
  deputyship: Deputyship;
  deciding: Deciding;
  asking: Asking;
  copies: ServedCopies;
  known: KnownMembers;
  reach: Reach;
  /** Of this process while it keeps. */
  keeper(): Keeper | null;
  /** Whether this process holds the lease, and no earlier owner can write any more. */
  isFenced(): boolean;
  beyond: BeyondAccounts;
  rates: RateLegacy;
  /** The owner that is followed gives the accounts away. */
  passesTo(next: string | null): void;
}

export function answersTo(talk: Talk, parts: AnswerParts): Answerers {
  const { lease, followers, following, deputyship, deciding, asking, copies, known, keeper } = parts;
  const plainly = <T>(said: T) => ({ said, bytes: nothing });

  /** What decides here by what the other of the talk gave; null when nothing does. */
  function underDeputyship(): DecidingParts | null {
    const isGiven = talk === deputyship.talk && deciding.parts?.epoch === deputyship.epoch;
    return isGiven ? deciding.parts : null;
  }

  return {
    serve: ({ said }) => {
      asking.answeredTo(talk);
      const ms = lease().state() === "owner" ? followers.grant(talk, said) : 0;
      const reaches = parts.reach.isSteady;
      return plainly({ ms, epoch: lease().epoch(), unsavedMs: known.allUnsavedMs(), reaches });
    },
    promise: () => {
      asking.answeredTo(talk);
      return plainly({ ms: lease().promise(), unsavedMs: copies.unsavedMs() });
    },
    call: ({ said, bytes }, onUnwanted) => {
      const isWaitedFor = followers.waiting(talk);
      if (!isWaitedFor()) throw new Refused("nobody may wait for it any more");
      const { partition, ...request } = said;
      if (asking.isHere(partition))
        return deciding.call(partition, request, bytes, { onUnwanted, isWaitedFor });
      const unwanted = new AbortController();
      onUnwanted(() => unwanted.abort());
      return asking.relay("call", said, bytes, unwanted.signal);
    },
    limited: ({ said }) => {
      const { partition, scans } = said;
      return asking.isHere(partition) ? deciding.limited(partition, scans) : asking.relay("limited", said);
    },
    changed: async ({ said }) => {
      await copies.drop(said);
      return plainly({});
    },
    ended: ({ said: { next } }) => {
      deputyship.closed(talk);
      if (next === null) following.ended();
      else if (talk === following.talk) parts.passesTo(next);
      return plainly({});
    },
    tell: async ({ said }) => {
      if (!parts.isFenced()) throw new Refused("this process keeps nothing");
      await Promise.all([copies.drop(said), followers.tell(said, talk)]);
      return plainly({});
    },
    appoint: async ({ said }) => {
      if (talk !== following.talk) throw new Refused("this process follows another");
      await deputyship.begin(talk, said);
      return plainly({});
    },
    take: ({ said: { partitions, meters } }) => {
      const owner = underDeputyship();
      if (owner === null) throw new Refused("this process owns nothing");
      owner.take(partitions, meters);
      return plainly({});
    },
    release: async ({ said: { partitions } }) => {
      const owner = underDeputyship();
      if (owner === null) throw new Error("this process owns nothing");
      const meters = await owner.release(partitions);
      if (meters === null) throw new Refused("requests take long");
      return plainly({ meters });
    },
    depose: () => {
      deputyship.closed(talk);
      return plainly({});
    },
    resign: async () => {
      await keeper()?.resign(talk);
      return plainly({});
    },
    usage: async ({ said: { account } }) =>
      plainly(await deciding.answered(partitionOf(account), (owner) => owner.usage(account))),
    rescan: async () => {
      if (deciding.parts === null) throw new Refused("this process owns nothing");
      return plainly(await (keeper() === null ? deciding.parts.rescan() : parts.beyond.rescan()));
    },
    moves: async ({ said: { of } }) => {
      if (keeper() === null) throw new Refused("this process keeps nothing");
      return plainly({ moves: await deciding.parts!.movesOf(of) });
    },
    session: async ({ said: { id } }) => {
      if (keeper() === null) throw new Refused("this process keeps nothing");
      return plainly(await deciding.parts!.takeOfSession(id));
    },
    inherit: ({ said }) => {
      parts.rates.told(said);
      return plainly({});
    },
    status: () => plainly(known.own()),
    succeed: () => {
      if (lease().state() !== "standby") throw new Refused("this process cannot own");
      lease().prepare();
      return plainly({});
    },
    hold: ({ said: { next } }) => {
      asking.leaving = talk;
      if (talk === following.talk) parts.passesTo(next);
      return plainly({});
    },
    left: () => {
      followers.left(talk);
      return plainly({});
    },
  };
}
