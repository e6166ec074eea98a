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

interface Batch {
  keys: Set<string>;
  found: Promise<Map<string, Stored>>;
}

/** Finds the document whose `field`, which is unique, has the given value. */
export function openLookup(
  collection: MongoCollection<Stored>,
  field: string,
): (key: string) => Promise<Stored | null> {
  let gathering: Batch | null = null;

  async function read(keys: Set<string>): Promise<Map<string, Stored>> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (gathering?.keys === keys) gathering = null;
    const [only] = keys;
    const query = collection.find(
      { [field]: keys.size === 1 ? only : { $in: [...keys] } },
      { maxTimeMS: readMsMax, batchSize: keysPerQuery + 1 },
    );
    const found = await within(readMsMax, query.toArray());
    return new Map(found.map((item) => [item[field] as string, item]));
  }

  return async (key) => {
    if (gathering === null || gathering.keys.size >= keysPerQuery) {
      const keys = new Set<string>();
      gathering = { keys, found: read(keys) };
    }
    gathering.keys.add(key);
    return (await gathering.found).get(key) ?? null;
  };
}
