/** MongoDB for the benches that need one: the server of MONGODB_URL, or one that is started when it is first asked for. */
import { assertDocument } from "../../src/schema/validators.ts";
import { connect } from "../../src/store/mongo/client.ts";
import { nextEpoch } from "../../src/store/mongo/epochs.ts";
import { openMongoStore } from "../../src/store/mongo/mongo-store.ts";
import { databaseOn, noMongod, type ReplicaSet, startReplicaSet } from "../../test/support/mongod/mongod.ts";
import type { Progress } from "../report/progress.ts";
import { type Filling, fill } from "./fill.ts";

export interface MongoServer {
  /** Null where there is none. */
  url(): Promise<string | null>;
  /** Why there is none. */
  missing: string;
  stop(): Promise<void>;
}

export interface MongoServerOptions {
  /** That of somebody else; null when there is none. */
  given: string | null;
  mayStart: boolean;
  note(text: string): void;
}

export function openMongoServer({ given, mayStart, note }: MongoServerOptions): MongoServer {
  let starting: Promise<ReplicaSet | null> | null = null;
  async function started(): Promise<ReplicaSet | null> {
    const set = await startReplicaSet(1);
    if (set !== null) note("MongoDB ran as a replica set of one, on the core of the load");
    return set;
  }
  return {
    async url() {
      if (given !== null || !mayStart) return given;
      starting ??= started();
      return (await starting)?.url ?? null;
    },
    missing: mayStart ? noMongod : "--quick starts no MongoDB: name the bench, or set MONGODB_URL",
    async stop() {
      await (await starting)?.stop();
    },
  };
}

export interface FilledDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of its own that is filled like this. */
export async function filledDatabase(
  server: string,
  filling: Filling,
  progress: Progress,
): Promise<FilledDatabase> {
  const database = databaseOn(server, "qrelay_bench");
  const connection = await connect(database.url);
  const epoch = await nextEpoch(connection);
  const ownership = { epoch: () => epoch, member: () => epoch, lost: () => undefined, mayServe: () => true };
  const store = await openMongoStore({ connection, assertDocument, ownership });
  await fill(store, filling, progress);
  await store.close();
  return database;
}
