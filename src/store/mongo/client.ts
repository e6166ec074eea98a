/** The connection to MongoDB: every driver option that matters, and errors that carry no password. */

import { type Db, MongoClient, type MongoClientOptions, MongoServerError } from "mongodb";
import { commitMsMax, readMsMax, settleMsMax } from "../../limits.ts";
import { UnreadableDocument } from "../document-version.ts";
import { StoreUnavailable, UniqueViolation } from "../store.ts";
import { isMongoUrl, mongoUrlForm, withoutCredentialsOf, withoutUserInfo } from "./url.ts";

const databaseDefault = "qrelay";

/** What the service's promises rest on; the URL cannot change it. */
const promised: MongoClientOptions = {
  writeConcern: { w: "majority", journal: true },
  readConcern: { level: "majority" },
  readPreference: "primary",
  retryWrites: true,
  retryReads: true,
  serverSelectionTimeoutMS: settleMsMax,
  connectTimeoutMS: settleMsMax,
  waitQueueTimeoutMS: readMsMax,
  socketTimeoutMS: 2 * commitMsMax,
  heartbeatFrequencyMS: 2_000,
  minHeartbeatFrequencyMS: 250,
  maxConnecting: 4,
  maxIdleTimeMS: 60_000,
  ignoreUndefined: true,
  monitorCommands: false,
};

/** What the URL may say otherwise. */
const suggested = { appName: "qrelay", maxPoolSize: 20, minPoolSize: 2, compressors: "none" } as const;

export interface Connection {
  client: MongoClient;
  db: Db;
}

export async function connect(url: string): Promise<Connection> {
  if (!isMongoUrl(url)) throw new StoreUnavailable(`The address of MongoDB must be ${mongoUrlForm}.`);
  let client: MongoClient | null = null;
  try {
    client = new MongoClient(url, { ...unsaid(url), ...promised });
    const db = client.db(databaseOf(url));
    await client.connect();
    const { setName, msg } = await db.admin().command({ hello: 1 });
    if (setName === undefined && msg !== "isdbgrid") {
      throw new StoreUnavailable("MongoDB must be a replica set or a sharded cluster: it runs alone.");
    }
    return { client, db };
  } catch (error) {
    await client?.close();
    const failure = asStoreError(error);
    throw failure instanceof StoreUnavailable
      ? new StoreUnavailable(withoutCredentialsOf(url, failure.message))
      : failure;
  }
}

export function databaseOf(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return path === undefined ? databaseDefault : decodeURIComponent(path);
}

function unsaid(url: string): MongoClientOptions {
  const said = (name: string) => new RegExp(`[?&]${name}=`, "i").test(url);
  return Object.fromEntries(Object.entries(suggested).filter(([name]) => !said(name)));
}

export function asStoreError(error: unknown): Error {
  if (error instanceof UniqueViolation || error instanceof UnreadableDocument) return error;
  if (error instanceof StoreUnavailable || error instanceof RangeError) return error;
  if (isDuplicate(error))
    return new UniqueViolation("A document with this slug or key hash is already stored.");
  return new StoreUnavailable(`MongoDB failed: ${withoutUserInfo((error as Error).message)}`);
}

export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

/**
 * Gives up waiting after `ms`; what was started may still happen. After a long turn of the event loop timers run
 * before anything is read: an answer that came meanwhile is let in first.
 */
export async function within<T>(ms: number, started: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new StoreUnavailable(`MongoDB did not answer within ${Math.ceil(ms)} ms.`));
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms);
  });
  try {
    return await Promise.race([started, late]);
  } finally {
    clearTimeout(timer);
  }
}
