/**
 * Point reads, many in one query.
 *
 * A burst of requests asks for as many single documents at the same moment. One query each would fill the
 * connection pool and let the last of them wait past its time; so what is asked for in one turn of the event
 * loop is read together. The query is sent after the last of its askers asked: nobody gets anything older than
 * their question.
 */
import type { Collection as MongoCollection } from "mongodb";
import { keysPerQuery, readMsMax } from "../../limits.ts";
import { within } from "./client.ts";
import type { Stored } from "./documents.ts";

interface Batch<T> {
  keys: Set<string>;
  found: Promise<ReadonlyMap<string, T>>;
}

/** Finds the document whose `field`, which is unique, has the given value. */
export function openLookup(
  collection: MongoCollection<Stored>,
  field: string,
): (key: string) => Promise<Stored | null> {
  return openGathering(async (keys) => {
    const [only] = keys;
    const query = collection.find(
      { [field]: keys.length === 1 ? only : { $in: keys } },
      { maxTimeMS: readMsMax, batchSize: keysPerQuery + 1 },
    );
    const found = await within(readMsMax, query.toArray());
    return new Map(found.map((item) => [item[field] as string, item]));
  });
}

/** Asks one by one for what is read together. */
export function openGathering<T>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | null> {
  let gathering: Batch<T> | null = null;

  async function readAll(keys: Set<string>): Promise<ReadonlyMap<string, T>> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (gathering?.keys === keys) gathering = null;
    return read([...keys]);
  }

  return async (key) => {
    if (gathering === null || gathering.keys.size >= keysPerQuery) {
      const keys = new Set<string>();
      gathering = { keys, found: readAll(keys) };
    }
    gathering.keys.add(key);
    return (await gathering.found).get(key) ?? null;
  };
}
