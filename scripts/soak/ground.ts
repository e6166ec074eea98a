/** Where the service keeps its data during a soak. Nothing is left afterwards. */
import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { type TemporaryFolder, temporaryFolder } from "../../bench/filling/temporary.ts";
import { databaseUrl, noMongod, startReplicaSet } from "../../test/support/mongod/mongod.ts";

export interface Ground {
  name: string;
  data: TemporaryFolder;
  env: Record<string, string>;
  remove(): Promise<void>;
}

export async function embeddedGround(): Promise<Ground> {
  const data = await temporaryFolder("soak");
  return { name: "embedded store", data, env: {}, remove: () => data.remove() };
}

export async function mongodbGround(given = process.env.MONGODB_URL): Promise<Ground> {
  const set = given ? null : await startReplicaSet(1);
  const server = given || set?.url;
  if (server === undefined) throw new Error(noMongod);
  const url = databaseUrl(server, `qrelay_soak_${randomUUID()}`);
  const data = await temporaryFolder("soak");
  return {
    name: "MongoDB",
    data,
    env: { MONGODB_URL: url },
    async remove() {
      const client = new MongoClient(url);
      await client.db().dropDatabase();
      await client.close();
      await set?.stop();
      await data.remove();
    },
  };
}
