/**
 * The MongoDB server of a run of the tests: the one of `MONGODB_URL`, or, with `TEST_STORE=mongodb`, one that is
 * started for all of them. Otherwise the few tests that need a server start their own: an idle one takes time from
 * all the others.
 */
import { noMongod, startReplicaSet } from "../../test/support/mongod/mongod.ts";
import { findOrDownloadMongod } from "../../test/support/mongod/mongod-binary.ts";

/** Sets `TEST_MONGODB_URL` for the tests; null where there is no server and one is required. */
export async function prepareMongodb(env: NodeJS.ProcessEnv): Promise<{ stop(): Promise<void> } | null> {
  const given = env.MONGODB_URL;
  // Under another name: what the tests start is on the embedded store unless they say otherwise.
  delete env.MONGODB_URL;
  if (given !== undefined) {
    env.TEST_MONGODB_URL = given;
    return { stop: async () => undefined };
  }
  const isThere = (await findOrDownloadMongod((line) => console.error(line))) !== null;
  if (!isThere && env.REQUIRE_MONGODB === "1") {
    console.error(`${noMongod}\nREQUIRE_MONGODB=1 makes that a failure.`);
    return null;
  }
  const server = isThere && env.TEST_STORE === "mongodb" ? await startReplicaSet(1) : null;
  if (server) env.TEST_MONGODB_URL = server.url;
  return { stop: async () => server?.stop() };
}
