/** Runs the tests and says at the very end what was not tested. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";
import { noMongod, startReplicaSet } from "../test/support/mongod/mongod.ts";
import { findOrDownloadMongod } from "../test/support/mongod/mongod-binary.ts";
import { readCommandLine } from "./command-line.ts";
import { compile, compiledArguments } from "./compile.ts";
import { untilLeftAlone } from "./taken-time.ts";
import { type EnginePlan, isForBoth, planEngines, repeatOn } from "./testing/engines.ts";
import { collectFailures, isStarved } from "./testing/failures.ts";
import { collectNotTested, counted } from "./testing/not-tested.ts";
import { hasServers, longFirst } from "./testing/order.ts";

const usage = `usage: npm test -- [WORD …]

Runs all tests, or those whose file name contains one of the words. The last lines say what was not tested and why. A file
that fails while the host of this machine takes the processor away runs again, alone, and so does one whose process was
blocked; the last lines say so.

  TEST_ENGINE=NAME    all tests on this engine, node or uws; otherwise all on the one that the service takes here,
                      and those that face HTTP on the other as well, where both load; those with database servers of
                      their own, and most of those in a browser, on the first alone
  MONGODB_URL=URL     tests on MongoDB use this server; otherwise one that is found on this machine
  REQUIRE_MONGODB=1   no server is a failure
  TEST_STORE=mongodb  all tests on MongoDB, as npm run test:mongodb does`;

/** One more than the least machine has cores: a fifth of a test's time is waiting. Files with servers take one of them. */
const lanes = 3;
/** Of a file that fails while the host takes the processor away, or whose process is blocked. */
const triesMax = 3;
/** Longer than a process takes that can still give itself up (`file-ends.ts`). */
const blockedMsMax = Number(process.env.TEST_BLOCKED_MS || 1_000_000);

const root = fileURLToPath(new URL("..", import.meta.url));
const fileEnds = `${root}scripts/testing/file-ends.ts`;
process.exitCode = await main();

async function main(): Promise<number> {
  const { positionals: words } = readCommandLine("test", usage, { allowPositionals: true });
  const files = testFiles(words);
  if (files.length === 0) {
    console.error(`no test file has ${words.join(" or ")} in its name`);
    return 1;
  }
  let engines: EnginePlan;
  try {
    engines = planEngines(process.env.TEST_ENGINE);
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
  const mongodb = await prepareMongodb(process.env);
  if (mongodb === null) return 1;
  try {
    return await runTests(files, engines, mongodb.isThere);
  } finally {
    await mongodb.stop();
  }
}

function testFiles(words: string[]): string[] {
  const files = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  return longFirst(files).map((file) => `${root}test/${file}`);
}

async function runTests(
  files: string[],
  { first, other, missing }: EnginePlan,
  hasMongodb: boolean,
): Promise<number> {
  // Without a server they say so and end.
  const withServers = hasMongodb ? files.filter(hasServers) : [];
  const others = files.filter((file) => !withServers.includes(file));
  const facing = others.filter((file) => isForBoth(root, file));
  const compiled = await compile(root, [...files, fileEnds]);
  const repeated = other === null ? null : repeatOn(other, facing, compiled.fileOf);
  console.log(
    `${counted(files.length, "file")} on ${first}${other ? `, ${facing.length} of them on ${other} too` : ""}`,
  );
  const names = new Map([
    ...files.map((file) => [compiled.fileOf(file), file.slice(root.length)] as const),
    ...(repeated?.files ?? []).map(
      (file, at) => [file, `${facing[at]!.slice(root.length)} on ${other}`] as const,
    ),
  ]);
  const nameOf = (file: string) => names.get(file) ?? file;
  const notTested = collectNotTested(root);
  const failures = collectFailures([...names.keys()]);
  // The runner starts its processes with what this one was started with, a loader of TypeScript among it.
  process.execArgv = [...compiledArguments, "--import", pathToFileURL(compiled.fileOf(fileEnds)).href];
  const reportOf = (some: readonly string[], concurrency: number) => {
    const results = run({ files: [...some], concurrency, timeout: blockedMsMax });
    results.on("test:pass", (test) => notTested.saw(test));
    results.on("test:fail", (test) => failures.saw(test));
    results.on("test:stderr", ({ message }) => failures.heard(message));
    return results.compose(new spec());
  };
  /** One after the other, each told whole when it has ended. */
  const runApart = async (some: readonly string[], why: string) => {
    for (const file of some) {
      const report = await text(reportOf([file], 1));
      process.stdout.write(`\n${nameOf(file)}, ${why}:\n${report}`);
    }
  };
  const aside = runApart(withServers.map(compiled.fileOf), "with database servers of its own");
  if (others.length > 0) {
    const report = reportOf(
      [...others.map(compiled.fileOf), ...(repeated?.files ?? [])],
      withServers.length === 0 ? lanes : lanes - 1,
    );
    report.pipe(process.stdout, { end: false });
    await once(report, "end");
  }
  await aside;
  const failed = failures.take();
  const again = await runAgain(failed, failures.wasBlocked, async (file, why) => {
    await runApart([file], `again, alone: ${why}`);
    return { name: nameOf(file), failed: failures.take() };
  });
  repeated?.remove();
  compiled.remove();

  const silent = notTested.withoutReason();
  const last = [
    ...notTested.lines(),
    ...(missing === null || facing.length === 0
      ? []
      : [`NOT TESTED: ${counted(facing.length, "file")} on ${missing}`]),
    ...again,
    ...[...failed.keys()].map((file) => `failed: ${nameOf(file)}`),
    ...silent.map((test) => `left out without a reason: ${test}`),
  ];
  if (last.length > 0) console.log(`\n${last.join("\n")}`);
  return failed.size > 0 || silent.length > 0 ? 1 : 0;
}

/** `failed` has what is left of it when this is over. Gives a line for each time that a file ran again. */
async function runAgain(
  failed: Map<string, number>,
  wasBlocked: (file: string) => boolean,
  rerun: (file: string, why: string) => Promise<{ name: string; failed: Map<string, number> }>,
): Promise<string[]> {
  const lines: string[] = [];
  for (let tries = 1; tries < triesMax; tries++) {
    for (const [file, share] of [...failed]) {
      if (!isStarved(share) && !wasBlocked(file)) continue;
      if (isStarved(share)) await untilLeftAlone(share / 2);
      const why = wasBlocked(file)
        ? "its process was blocked, and was ended"
        : `it had failed while others took ${Math.round(100 * share)} % of the processor`;
      const { name, failed: still } = await rerun(file, why);
      lines.push(`RAN AGAIN: ${name}: ${why}`);
      failed.delete(file);
      for (const [each, shareThen] of still) failed.set(each, shareThen);
    }
  }
  return lines;
}

interface Mongodb {
  isThere: boolean;
  stop(): Promise<void>;
}

/**
 * The MongoDB server of a run: the one of `MONGODB_URL`, or, with `TEST_STORE=mongodb`, one that is started for all
 * tests; its address is `TEST_MONGODB_URL`. Otherwise the few tests that need a server start their own: an idle one takes
 * time from all the others. Null where there is no server and one is required.
 */
async function prepareMongodb(env: NodeJS.ProcessEnv): Promise<Mongodb | null> {
  const given = env.MONGODB_URL;
  // Under another name: what the tests start is on the embedded store unless they say otherwise.
  delete env.MONGODB_URL;
  if (given !== undefined) {
    env.TEST_MONGODB_URL = given;
    return { isThere: true, stop: async () => undefined };
  }
  const isThere = (await findOrDownloadMongod((line) => console.error(line))) !== null;
  if (!isThere && env.REQUIRE_MONGODB === "1") {
    console.error(`${noMongod}\nREQUIRE_MONGODB=1 makes that a failure.`);
    return null;
  }
  const server = isThere && env.TEST_STORE === "mongodb" ? await startReplicaSet(1) : null;
  if (server) env.TEST_MONGODB_URL = server.url;
  return { isThere, stop: async () => server?.stop() };
}
