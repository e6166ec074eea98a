/** The document of the lease in MongoDB. Every write is a majority's: one that was acknowledged no later one can miss. */
import type { Collection } from "mongodb";
import { readMsMax } from "../limits.ts";
import { asStoreError, type Connection, isDuplicate, within } from "../store/mongo/client.ts";
import { nextEpoch } from "../store/mongo/epochs.ts";
import type { LeaseDoc, LeaseRecord } from "./lease.ts";

/** Earlier versions did not write the last four. */
type Stored = Omit<LeaseDoc, "watched" | "evicts" | "bus" | "served"> & {
  _id: string;
  watched?: number | null;
  evicts?: boolean;
  bus?: string | null;
  served?: readonly string[];
};

const _id = "lease";

export function mongoLease(connection: Connection): LeaseRecord {
  const { db } = connection;
  const leases: Collection<Stored> = db.collection<Stored>("ownership");
  const maxTimeMS = readMsMax;
  const soon = <T>(started: Promise<T>): Promise<T> =>
    within(readMsMax, started).catch((error) => {
      throw asStoreError(error);
    });

  return {
    read: async () => docOf(await soon(leases.findOne({ _id }, { maxTimeMS }))),

    nextEpoch: (above, counts) => nextEpoch(connection, above, counts),

    insert: (first) =>
      soon(
        leases.insertOne({ _id, ...first }).then(
          () => true,
          (error) => (isDuplicate(error) ? false : Promise.reject(error)),
        ),
      ),

    async replace({ epoch, renewals }, next) {
      const { modifiedCount } = await soon(leases.replaceOne({ _id, epoch, renewals }, next));
      return modifiedCount === 1;
    },

    async renew({ epoch, holder, evicts }) {
      const renewed = leases.findOneAndUpdate(
        { _id, epoch, holder, released: false },
        { $inc: { renewals: 1 }, $set: { evicts } },
        { returnDocument: "after", maxTimeMS },
      );
      return docOf(await soon(renewed));
    },

    async watch({ epoch, renewals }) {
      await soon(leases.updateOne({ _id, epoch }, { $max: { watched: renewals } }));
    },

    async release({ epoch, holder, evicts, served }) {
      const changes = { released: true, evicts, served };
      await soon(leases.updateOne({ _id, epoch, holder }, { $set: changes }));
    },
  };
}

function docOf(stored: Stored | null): LeaseDoc | null {
  if (stored === null) return null;
  const {
    epoch,
    holder,
    renewals,
    released,
    watched = null,
    evicts = false,
    bus = null,
    served = [],
  } = stored;
  return { epoch, holder, renewals, released, watched, evicts, served, bus };
}
