/** Faults made on purpose in what keeps members apart. The simulation has to find each. */
import type { Changed } from "../../../src/cluster/bus/messages.ts";
import type { Talk } from "../../../src/cluster/bus/talk.ts";
import { Followers, type FollowersOptions } from "../../../src/cluster/followers.ts";
import { Following, type FollowingOptions } from "../../../src/cluster/following.ts";
import type { Lease, LeaseDoc, LeaseRecord } from "../../../src/cluster/lease.ts";
import { type Moment, RightToServe, type Watches } from "../../../src/cluster/right-to-serve.ts";
import type { ClusterMakers } from "../../../src/service/cluster/cluster.ts";
import type { Mutation } from "../mutants.ts";

export interface MembersMutation extends Mutation {
  right?(watches: Watches): RightToServe;
  record?(record: LeaseRecord, holder: string): LeaseRecord;
  lease?(lease: Lease): Lease;
  servesPastTheRight?: boolean;
  /** Of members that all serve. */
  awaitsNobody?: boolean;
  retriesLimited?: boolean;
  handsOverEarly?: boolean;
  dismissesNobody?: boolean;
  /** Who keeps next does not get to know what is used of rate windows. */
  bequeathsNothing?: boolean;
  /** Each member has windows of its own for sessions. */
  metersSessionsApart?: boolean;
  make?: Partial<ClusterMakers>;
}

/** From the answer, which may have waited for a process that was paused. */
class FromTheAnswer extends RightToServe {
  override grant(_sent: Moment): void {
    super.grant(this.now());
  }
}

/** As soon as it is connected: the owner need not know of it yet, and may have no right itself. */
class ServesEarly extends Following {
  readonly #options: FollowingOptions;

  constructor(options: FollowingOptions) {
    super(options);
    this.#options = options;
  }

  override opened(talk: Talk): void {
    super.opened(talk);
    this.#options.dropCopies();
  }

  /** And says nothing of it, so the owner waits for nobody. */
  override ask(talk: Talk): void {
    const { right } = this.#options;
    right.revoke();
    super.ask(talk);
    right.grant(right.now());
  }
}

class KeepsCopies extends Following {
  constructor({ right }: FollowingOptions) {
    super({ right, dropCopies() {} });
  }
}

/** Whoever has left is taken to serve no more. */
class WaitsForNobody extends Followers {
  constructor(options: FollowersOptions) {
    super({
      ...options,
      clock: { now: () => options.clock.now(), after: (_ms, run) => options.clock.after(0, run) },
    });
  }
}

/** What a deputy that is lost has changed, and did not tell, nobody reads again; and itself may serve on. */
class KeepsWhatDeputiesChanged extends Followers {
  override async tell(changed: Changed, from: Talk | null = null): Promise<void> {
    if (!changed.all) await super.tell(changed, from);
  }
}

/** Whoever takes over serves at once. */
const waitsForNoOwner: MembersMutation = { lease: (lease) => ({ ...lease, hasEvicted: () => false }) };

/** Where all members serve. */
export const clusterMutants: Readonly<Record<string, MembersMutation>> = {
  "no acknowledgement": { awaitsNobody: true },
  "serving past the right": { servesPastTheRight: true },
  "no waiting after an eviction": waitsForNoOwner,
  "no waiting for a member that has left": { make: { followers: (options) => new WaitsForNobody(options) } },
  "a retried limited scan": { retriesLimited: true },
  "a joiner that serves early": { make: { following: (options) => new ServesEarly(options) } },
  "copies that outlive a deputy": { make: { followers: (options) => new KeepsWhatDeputiesChanged(options) } },
  "a deputy that is not shut out": { dismissesNobody: true },
  "a second that nobody waits for": { make: { nextSecond: () => Promise.resolve() } },
  "a joiner that keeps its copies": { make: { following: (options) => new KeepsCopies(options) } },
};

/** Where members are stopped and started again, and nothing else happens. */
export const restartMutants: Readonly<Record<string, MembersMutation>> = {
  "hand-over before drain": { handsOverEarly: true },
  "partitions given away before drain": { givesAwayUndrained: true },
  "rate windows that a move begins anew": { forgetsMeters: true },
  "windows of a session at every member": { metersSessionsApart: true },
  "rate windows that begin anew with a keeper": { bequeathsNothing: true },
};

export const membersMutants: Readonly<Record<string, MembersMutation>> = {
  "serving past the right": { servesPastTheRight: true },
  "no waiting after an eviction": waitsForNoOwner,
  "a watch that goes on over looks that failed": {
    record(record, holder) {
      let last: LeaseDoc | null = null;
      const remember = (doc: LeaseDoc | null) => {
        last = doc?.holder === holder ? null : doc;
        return doc;
      };
      const recall = (cause: unknown) => last ?? Promise.reject(cause);
      return { ...record, read: () => record.read().then(remember, recall) };
    },
  },
  "a right from the answer to a renewal": { right: (watches) => new FromTheAnswer(watches) },
  "a right on the steady clock alone": {
    right: ({ steady }) => new RightToServe({ steady, wall: steady }),
  },
  "parts that are folded twice": { database: { keepsFoldedParts: true } },
  "a part that can fall": { database: { lowersParts: true } },
  "a journal that is counted again when it comes again": { database: { takesPartsOfFinished: true } },
  // From the beginning: who has just taken the lease counts as watched, and few own it for longer than that lasts.
  "an owner that does not see who watches": {
    record: (record) => ({
      ...record,
      insert: async (first) => {
        const isTaken = await record.insert({ ...first });
        first.watched = null;
        return isTaken;
      },
      replace: async (seen, next) => {
        const isTaken = await record.replace(seen, { ...next });
        next.watched = null;
        return isTaken;
      },
      renew: async (own) => {
        const doc = await record.renew(own);
        return doc && { ...doc, watched: null };
      },
    }),
  },
};
