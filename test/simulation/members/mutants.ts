/** Faults made on purpose in what keeps members apart. The simulation has to find each. */
import type { Lease, LeaseDoc, LeaseRecord } from "../../../src/cluster/lease.ts";
import { type Moment, RightToServe, type Watches } from "../../../src/cluster/right-to-serve.ts";
import type { Mutation } from "../mutants.ts";

export interface MembersMutation extends Mutation {
  right?(watches: Watches): RightToServe;
  record?(record: LeaseRecord, holder: string): LeaseRecord;
  lease?(lease: Lease): Lease;
  servesPastTheRight?: boolean;
}

/** From the answer, which may have waited for a process that was paused. */
class FromTheAnswer extends RightToServe {
  override grant(_sent: Moment): void {
    super.grant(this.now());
  }
}

export const membersMutants: Readonly<Record<string, MembersMutation>> = {
  "serving past the right": { servesPastTheRight: true },
  "no waiting after an eviction": { lease: (lease) => ({ ...lease, hasEvicted: () => false }) },
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
  "an owner that does not see who watches": {
    record: (record) => ({
      ...record,
      renew: async (own) => {
        const doc = await record.renew(own);
        return doc && { ...doc, watched: null };
      },
    }),
  },
};
