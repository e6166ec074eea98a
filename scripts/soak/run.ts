/** The soak itself, from the start of the service to the last check. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { TemporaryFolder } from "../../bench/filling/temporary.ts";
import type { Program } from "../../bench/processes.ts";
import { qrelay } from "../../bench/servers/qrelay.ts";
import { dice } from "../../test/support/dice.ts";
import { freePort } from "../../test/support/wire/free-port.ts";
import { disturbedShare, type SoakOptions } from "./arguments.ts";
import { type Counts, type Outages, openJudge, openOutages, type Side } from "./calls/judge.ts";
import { createAccounts, createFirstCodes } from "./calls/opening.ts";
import { startTraffic } from "./calls/traffic.ts";
import { openWire } from "./calls/wire.ts";
import type { World } from "./calls/world.ts";
import { checkExactness, type Exactness } from "./exactness.ts";
import { embeddedGround, mongodbGround } from "./ground.ts";
import { type Instance, planRestarts, type Restart, startInstance } from "./instance.ts";
import { Ledger } from "./ledger.ts";
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
