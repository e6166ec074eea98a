/** The soak itself, from the start of the service to the last check. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { type TemporaryFolder, temporaryFolder } from "../../bench/filling/temporary.ts";
import type { Program } from "../../bench/processes.ts";
import { qrelay } from "../../bench/servers/qrelay.ts";
import { dice } from "../../test/support/dice.ts";
import { databaseUrl, noMongod, startReplicaSet } from "../../test/support/mongod/mongod.ts";
import { freePort } from "../../test/support/wire/free-port.ts";
import { disturbedShare, type SoakOptions } from "./arguments.ts";
import { type Counts, type Outages, openJudge, openOutages, type Side } from "./calls/judge.ts";
import { readOne } from "./calls/read-calls.ts";
import { startTraffic } from "./calls/traffic.ts";
import { openWire } from "./calls/wire.ts";
import type { Account, World } from "./calls/world.ts";
import { createOne } from "./calls/write-calls.ts";
import { checkExactness, type Exactness } from "./exactness.ts";
import { type Instance, planRestarts, type Restart, startInstance } from "./instance.ts";
import { kinds, Ledger } from "./ledger.ts";
import { judgeMemory, type MemoryVerdict, type Stretch } from "./report/memory.ts";
import { type LatencyFigures, openLatencies, type Sample, startSampling } from "./report/samples.ts";

export interface RestartMark extends Restart {
  readyMs: number;
}

export interface SoakResult {
  store: string;
  options: SoakOptions;
  samples: readonly Sample[];
  restarts: RestartMark[];
  /** From here on nothing was restarted. */
  undisturbedFrom: number;
  /** Over the undisturbed stretch. */
  latency: Record<Side, LatencyFigures>;
  memory: MemoryVerdict | null;
  exactness: Exactness;
  counts: Counts;
  heldBack: number;
  failures: readonly string[];
}

export type ProgramOn = (data: TemporaryFolder, env: Record<string, string>) => Program;

const accountCount = 4;
const trafficStream = 2;
const firstCodes = { plain: 60, ruled: 10, limited: 4 };
const renderedMsMax = 60_000;
const leaseLookMs = 50;
/** The soak is about what the service does, not about what plans refuse. */
const unlimited = 2 ** 31;

/** `programOn` is what `npm start` runs, unless a test says otherwise. */
export async function soak(
  options: SoakOptions,
  onSample: (sample: Sample) => void = () => {},
  programOn: ProgramOn = qrelay,
): Promise<SoakResult> {
  const ground = await (options.mongodb ? mongodbGround() : embeddedGround());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const adminToken = randomUUID();
  const wire = openWire(url);
  const outages = openOutages();
  const perSecond = { scan: openLatencies(), api: openLatencies() };
  const undisturbed = { scan: openLatencies(), api: openLatencies() };
  const judge = openJudge(wire, outages, (side, ms) => {
    perSecond[side].add(ms);
    undisturbed[side].add(ms);
  });
  const env = { ...ground.env, PORT: String(port), ADMIN_TOKEN: adminToken };
  let instance: Instance | null = null;
  try {
    instance = await startInstance(programOn(ground.data, env), url, judge.fail);
    const world: World = {
      ...{ judge, adminToken, ledger: new Ledger(), chance: dice(options.seed, trafficStream) },
      accounts: await createAccounts(url, adminToken, accountCount),
    };
    await createFirstCodes(world);

    for (const side of [perSecond.scan, perSecond.api]) side.clear();
    const { pid } = instance;
    const sources = { pid, wire, scans: perSecond.scan, api: perSecond.api, counts: judge.counts };
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    const sampling = startSampling(sources, onSample);
    const traffic = startTraffic(world, options.rate);
    let restarts: RestartMark[];
    let stretch: Stretch;
    try {
      restarts = await restartAsPlanned(options, instance, outages, elapsed);
      const from = elapsed() / 1_000;
      for (const side of [undisturbed.scan, undisturbed.api]) side.clear();
      await pause(Math.max(0, options.minutes * 60_000 - elapsed()));
      stretch = { from, to: elapsed() / 1_000 };
    } finally {
      sampling.stop();
      await traffic.stop();
    }

    const { samples } = sampling;
    const latency = { scan: undisturbed.scan.figures(), api: undisturbed.api.figures() };
    const counts = { ...judge.counts };
    const exactness = await checkAfterCrash(world, instance, outages);
    return {
      ...{ store: ground.name, options, samples, restarts, latency, exactness },
      undisturbedFrom: stretch.from,
      memory: judgeMemory(samples, stretch),
      counts: { ...counts, failed: judge.counts.failed },
      heldBack: traffic.heldBack,
      failures: judge.failures,
    };
  } catch (cause) {
    const before = judge.failures.length === 0 ? "" : `, after: ${judge.failures.join("; ")}`;
    throw new Error(`the soak broke off${before}`, { cause });
  } finally {
    await instance?.stop();
    wire.close();
    await ground.remove();
  }
}

/** One last crash first: what is only in memory must not help. Then an orderly end, which is judged too. */
async function checkAfterCrash(world: World, instance: Instance, outages: Outages): Promise<Exactness> {
  await outages.during(() => instance.restart("SIGKILL"));
  const exactness = await checkExactness(world);
  await instance.stop();
  return exactness;
}

async function restartAsPlanned(
  options: SoakOptions,
  instance: Instance,
  outages: Outages,
  elapsed: () => number,
): Promise<RestartMark[]> {
  const marks: RestartMark[] = [];
  for (const planned of planRestarts(options)) {
    await pause(Math.max(0, planned.atMs - elapsed()));
    const atMs = elapsed();
    await outages.during(() => instance.restart(planned.signal));
    marks.push({ atMs, signal: planned.signal, readyMs: elapsed() - atMs });
  }
  const undisturbedMs = options.minutes * 60_000 * disturbedShare;
  await pause(Math.max(0, undisturbedMs - elapsed()));
  return marks;
}

/** What is there before the traffic begins: some accounts, and codes of all kinds that can be scanned. */
async function createAccounts(url: string, adminToken: string, count: number): Promise<Account[]> {
  const call = async <T>(method: string, path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    return (await answer.json()) as T;
  };
  const limits = { per_minute: unlimited, per_day: unlimited, burst: unlimited };
  const accounts: Account[] = [];
  for (let n = 0; n < count; n++) {
    const name = `Soak ${n}`;
    const { account_id: id } = await call<{ account_id: string }>("POST", "/admin/v1/accounts", {
      name,
      plan: "enterprise",
    });
    await call("PATCH", `/admin/v1/accounts/${id}`, { limits });
    const { key } = await call<{ key: string }>("POST", `/admin/v1/accounts/${id}/keys`, {});
    accounts.push({ id, key });
  }
  return accounts;
}

async function createFirstCodes(world: World): Promise<void> {
  for (const kind of kinds) {
    for (let n = 0; n < firstCodes[kind]; n++) {
      if (!(await createOne(world, kind))) throw new Error("the first codes could not be created");
    }
  }
  const end = performance.now() + renderedMsMax;
  for (let code = world.ledger.unread(); code !== null; code = world.ledger.unread()) {
    await readOne(world, code);
    if (code.slug === null) await pause(leaseLookMs);
    if (performance.now() > end) throw new Error("the first codes were not rendered in time");
  }
}

/** Where the service keeps its data during a soak. Nothing is left afterwards. */
interface Ground {
  name: string;
  data: TemporaryFolder;
  env: Record<string, string>;
  remove(): Promise<void>;
}

async function embeddedGround(): Promise<Ground> {
  const data = await temporaryFolder("soak");
  return { name: "embedded store", data, env: {}, remove: () => data.remove() };
}

async function mongodbGround(given = process.env.MONGODB_URL): Promise<Ground> {
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
