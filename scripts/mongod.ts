/**
 * A MongoDB server for the tests.
 *
 *     tsx scripts/mongod.ts install        gets one where there is none
 *     tsx scripts/mongod.ts run COMMAND …  runs the tests with TEST_MONGODB_URL set to the server in MONGODB_URL,
 *                                          or, with TEST_STORE=mongodb, to one started for them
 *
 * Without a server the command runs all the same, and the last words are about what was left out: a skip that
 * nobody sees looks like a success. In CI it is a failure.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { noMongod, startReplicaSet } from "../test/support/mongod.ts";
import { findMongod, findOrDownloadMongod, installMongodForWine } from "../test/support/mongod-binary.ts";

const [action = "install", ...command] = process.argv.slice(2);

async function install(): Promise<number> {
  const found = await findMongod();
  if (found) console.log(`already there: ${found.origin}`);
  else await installMongodForWine((line) => console.log(line));
  return 0;
}

async function run([program, ...args]: string[]): Promise<number> {
  if (program === undefined) throw new Error("usage: tsx scripts/mongod.ts run COMMAND …");
  // Under another name: what the tests start is on the embedded store unless they say otherwise.
  const { MONGODB_URL: given, ...env } = process.env;
  const say = (line: string) => console.error(line);
  const isThere = given !== undefined || (await findOrDownloadMongod(say)) !== null;
  if (!isThere && process.env.CI === "true") {
    console.error(`${noMongod}\nIn CI that is a failure.`);
    return 1;
  }
  // Otherwise the few tests that need a server start their own: an idle one takes time from all the others.
  const isShared = process.env.TEST_STORE === "mongodb" && isThere && given === undefined;
  const server = isShared ? await startReplicaSet(1) : null;
  const url = given ?? server?.url;
  try {
    const child = spawn(program, args, {
      stdio: "inherit",
      env: { ...env, ...(url && { TEST_MONGODB_URL: url }) },
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
    const [code] = await once(child, "close");
    return code ?? 1;
  } finally {
    await server?.stop();
    if (!isThere) console.error(`\n${leftOut()}`);
  }
}

function leftOut(): string {
  const folder = fileURLToPath(new URL("../test/", import.meta.url));
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => readFileSync(folder + file, "utf8").includes("noMongod"));
  return [`NOT TESTED: ${noMongod}`, ...files.map((file) => `  test/${file}`)].join("\n");
}

process.exitCode = action === "run" ? await run(command) : await install();
