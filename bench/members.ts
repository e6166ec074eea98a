/** Members of a cluster, ready to be measured: all serve, and each decides for a share of the accounts. */
import { setTimeout as pause } from "node:timers/promises";
import type { ClusterFields } from "../src/schema/responses.ts";
import { freePort } from "../test/support/wire/free-port.ts";
import { filledDatabase } from "./filling/database.ts";
import { accounts, keyOf } from "./filling/links.ts";
import { temporaryFolder } from "./filling/temporary.ts";
import { type Core, type Server, startServer } from "./processes.ts";
import type { Progress } from "./report/progress.ts";
import { qrelay } from "./servers/qrelay.ts";

export interface Members {
  /** In the order of the cores that they were started on. */
  all: readonly Server[];
  /** The one that decides for the account with few codes. */
  decider: Server;
  others: readonly Server[];
  stop(): Promise<void>;
}

/** Starts so many on these cores, the first of which has all that no other is named for; none is one process with `CLUSTER=off`. */
export type StartMembers = (count: number, cores: readonly [Core, ...Core[]]) => Promise<Members>;

const adminToken = "an-admin-token-for-the-bench";
const lookMs = 400;
/** Longer than members tell the same metrics. */
const metricsMs = 1_100;
const readyMsMax = 60_000;

/** Each a process of its own, on a database of its own. */
export function membersOnMongo(
  mongodb: string,
  links: number,
  engine: string,
  progress: Progress,
): StartMembers {
  return async (count, cores) => {
    const database = await filledDatabase(mongodb, { links, withRules: 0 }, progress);
    const env = { MONGODB_URL: database.url, HTTP_ENGINE: engine, ADMIN_TOKEN: adminToken };
    const buses = await freeBuses(count);
    const starting =
      count === 0
        ? [startOne(env, cores[0])]
        : buses.map((CLUSTER_ADDRESS, at) =>
            startOne({ ...env, CLUSTER: "on", CLUSTER_ADDRESS }, cores[at] ?? cores[0]),
          );
    const servers = await Promise.all(starting);
    return sharedOut(servers, async () => {
      await Promise.all(servers.map((server) => server.stop("kill")));
      await database.drop();
    });
  };
}

async function startOne(env: Record<string, string>, core: Core): Promise<Server> {
  const data = await temporaryFolder("member");
  const server = await startServer(qrelay(data, env), core);
  return { ...server, stop: (how) => server.stop(how).finally(() => data.remove()) };
}

/** All in one process, on a database in memory. */
export function membersInMemory(links: number, engine: string): StartMembers {
  return async (count, [core]) => {
    const folder = await temporaryFolder("members");
    const buses = await freeBuses(count);
    const env = {
      BENCH_BUSES: buses.join(","),
      BENCH_LINKS: String(links),
      BENCH_FOLDER: folder.path,
      HTTP_ENGINE: engine,
      ADMIN_TOKEN: adminToken,
    };
    const server = await startServer({ script: "bench/servers/members.ts", env }, core);
    const each = server.url.split(",").map((url) => ({ ...server, url }));
    return sharedOut(each, () => server.stop("kill").finally(() => folder.remove()));
  };
}

async function freeBuses(count: number): Promise<string[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  return ports.map((port) => `127.0.0.1:${port}`);
}

/** When all are ready, and each has a share of the accounts that changes no more. */
async function sharedOut(all: readonly Server[], stop: () => Promise<void>): Promise<Members> {
  const until = async (look: () => Promise<boolean>) => {
    for (const end = performance.now() + readyMsMax; !(await look()); await pause(lookMs)) {
      if (performance.now() > end) throw new Error("the members did not share the accounts out in time");
    }
  };
  for (const { url } of all) await until(async () => (await fetch(`${url}/readyz`)).ok);
  if (all.length === 1) return { all, decider: all[0]!, others: [], stop };
  await until(sharesStandStill(all[0]!.url, all.length));
  const before = await handedOn(all);
  for (const { url } of all) await askOnce(url);
  const after = await handedOn(all);
  const [decider, ...more] = all.filter((_, at) => after[at] === before[at]);
  if (decider === undefined || more.length > 0) throw new Error("no single member decides for the account");
  return { all, decider, others: all.filter((server) => server !== decider), stop };
}

/** Whether they are the same as when this was last asked. */
function sharesStandStill(url: string, count: number): () => Promise<boolean> {
  let before = "";
  return async () => {
    const answer = await fetch(`${url}/admin/v1/cluster`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const { members = [] } = (await answer.json()) as Partial<ClusterFields>;
    const shares = members.map(({ partitions }) => partitions);
    const isStill = String(shares) === before;
    before = String(shares);
    return isStill && shares.length === count && Math.min(...shares) > 0;
  };
}

/** About a code of the account with few. */
async function askOnce(url: string): Promise<void> {
  const answer = await fetch(`${url}/v1/qr-codes?page_size=1`, {
    headers: { "x-api-key": keyOf(accounts.few) },
  });
  if (!answer.ok) throw new Error(`a member answered ${answer.status}`);
}

/** How many requests each has handed to another member. */
async function handedOn(all: readonly Server[]): Promise<number[]> {
  await pause(metricsMs);
  const texts = await Promise.all(all.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return texts.map((text) => Number(answered.exec(text)![1]));
}

const answered = /^qrelay_cluster_forwarded_total\{kind="request",outcome="answered"\} (\d+)$/m;
