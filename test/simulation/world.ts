/**
 * One run of the simulation: a world that is drawn from a seed, lived through, and checked.
 *
 * The real service (directory, actors, group commit, scan journal, checkpoints, render queue, handlers) runs on
 * a virtual event loop, a simulated store, disk and renderer. Clients of several accounts write, read, list and
 * scan; things fail; the process dies, at any point where that makes a difference, and is started again. A
 * ledger keeps what the clients were told, and after every start and at the end the store is held against it.
 *
 * Everything that happens follows from the seed, so a run that fails can be replayed exactly. The digest of what
 * happened is compared between two runs of a seed by a test.
 */

import type { Method } from "../../src/http/access.ts";
import { checkCounts, checkStored } from "./checks/checks.ts";
import { Chronicle } from "./checks/chronicle.ts";
import { settle } from "./checks/ending.ts";
import { Ledger } from "./checks/ledger.ts";
import { populate } from "./clients/population.ts";
import { crashDriver } from "./crashes.ts";
import { type CrashKind, drawWeather, Faults } from "./faults.ts";
import { openGate } from "./gate.ts";
import type { Answer, Lost, Request } from "./machine/door.ts";
import { type Ground, Process, type Settings } from "./machine/process.ts";
import { SimulatedDisk } from "./machine/simulated-disk.ts";
import { standbyDriver } from "./machine/standby.ts";
import type { Mutation } from "./mutants.ts";
import type { Scene } from "./scene.ts";
import { type Seeded, seededRandom } from "./seeded-random.ts";
import { lateMsMax, SimulatedStore } from "./simulated-store.ts";
import { VirtualLoop } from "./virtual-loop.ts";

export interface Run {
  seed: number;
  /** What was found to be wrong, or null. */
  failure: string | null;
  digest: string;
  crashes: number;
  requests: number;
  scans: number;
  /** The last things that happened. */
  tail: string[];
}

export interface RunOptions {
  mutation?: Mutation;
  /** How many lines of what happened to keep. */
  tailLines?: number;
}

export class World extends Chronicle implements Ground, Scene {
  readonly random: Seeded;
  readonly loop: VirtualLoop;
  readonly store: SimulatedStore;
  readonly disks: readonly SimulatedDisk[];
  readonly faults: Faults;
  readonly gate = openGate;
  readonly settings: Settings;
  readonly mutation: Mutation;
  readonly ledger = new Ledger();
  /** The process that serves, null while there is none. */
  process: Process | null = null;
  crashes = 0;
  requests = 0;
  scans = 0;
  #starting: Promise<void> | null = null;
  /** A machine that stands by hands its journal over; it cannot start meanwhile. */
  handingOver: Promise<void> = Promise.resolve();
  /** Of the last process, when it died. */
  #unsyncedSince = Number.POSITIVE_INFINITY;

  constructor(seed: number, options: RunOptions) {
    super(options.tailLines ?? 0);
    this.random = seededRandom(seed);
    // Around midnight, where windows end; half of the runs see the hour change among their scans.
    const midnight = Date.UTC(2030, 0, 16);
    const start = this.random.chance(0.5)
      ? midnight - this.random.below(30_000)
      : midnight - 10 * 60_000 + this.random.below(20 * 60_000);
    this.loop = new VirtualLoop(this.random.fork(), start);
    this.store = new SimulatedStore(this.loop, this.random.fork());
    this.disks = [0, 1].map(() => new SimulatedDisk(this.loop, this.random.fork()));
    this.faults = new Faults(drawWeather(this.random), this.random.fork());
    this.settings = drawSettings(this.random, this.faults.weather.isCalm);
    this.mutation = options.mutation ?? {};
    this.store.isFenced = this.mutation.isFenced ?? true;
    Object.assign(this.store.database.faults, this.mutation.database);
  }

  get storeFaults(): Faults {
    return this.faults;
  }

  async start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    await this.#starting;
  }

  async #start(): Promise<void> {
    while (this.process === null) {
      await this.handingOver;
      const machine = this.random.below(Math.max(1, this.settings.machines));
      const process = new Process(this, machine, ++this.store.epoch);
      this.trace(`start on machine ${process.machine}`);
      try {
        await Promise.race([process.start(), this.#deathAtStart(process)]);
        process.disarm();
        if (!process.isAlive) throw new Error("died right after the start");
      } catch (cause) {
        this.trace(`start failed: ${(cause as Error).message}`);
        process.die("kill");
        await this.loop.sleep(1_000);
        continue;
      }
      checkStored(this);
      checkCounts(this, this.settings.machines < 2);
      for (const code of this.ledger.codes.values()) code.scans.saved();
      this.process = process;
    }
  }

  /** A start can be cut short as well; rejects when it is. */
  #deathAtStart(process: Process): Promise<never> {
    return new Promise((_, reject) => {
      if (!this.faults.startFails()) return;
      process.arm(this.random.between(1, 12), this.faults.crashKind(), (kind) => {
        process.die(kind === "declared dead" ? "kill" : kind);
        this.#loseUnsafe(kind);
        reject(new Error("died at the start"));
      });
    });
  }

  crash(kind: CrashKind): void {
    const { process } = this;
    if (process === null) return;
    this.process = null;
    this.crashes++;
    this.trace(`crash: ${kind}`);
    this.#unsyncedSince = this.#unsyncedNow();
    this.#loseUnsafe(kind);
    process.die(kind);
    if (kind !== "declared dead") return;
    this.loop.after(2 * lateMsMax, () => {
      process.isStale = false;
    });
  }

  #loseUnsafe(kind: CrashKind): void {
    const since = kind === "power cut" ? this.#unsyncedSince : Number.POSITIVE_INFINITY;
    for (const code of this.ledger.codes.values()) code.scans.unsafeLost(since);
  }

  /** A power cut may lose what was answered after this: nothing with `always`, else an interval and its two syncs. */
  #unsyncedNow(): number {
    const { sync } = this.settings;
    if (this.faults.syncFailed) return 0;
    if (sync === "always") return Number.POSITIVE_INFINITY;
    return this.loop.now() - sync - 2 * this.faults.weather.syncMsMax;
  }

  /** A request to whatever process serves; `lost` at once when there is none. */
  async call(method: Method, path: string, request: Request): Promise<Answer | Lost> {
    this.requests++;
    if (this.process === null) {
      await this.loop.sleep(200);
      return "lost";
    }
    this.trace(`${method} ${path} begins ${request.params?.at(-1) ?? ""} ${request.key?.slice(-4) ?? ""}`);
    const answer = await this.process.call(method, path, request);
    const what = `${method} ${path} ${request.params?.at(-1) ?? ""} ${request.key?.slice(-4) ?? ""}`;
    this.trace(`${what} ${answer === "lost" ? answer : `${answer.status} ${answer.code}`}`);
    return answer;
  }
}

function drawSettings(random: Seeded, isCalm: boolean): Settings {
  return {
    machines: random.pick([0, 1, 2, 2] as const),
    sync: random.pick([100, 500, "always", "always"] as const),
    renderQueueMax: random.pick([2, 4, 100]),
    scanLimits: {
      linksMax: isCalm ? 100 : random.pick([4, 100]),
      unknownSlugsMax: 8,
      turnScansMax: 16,
      segmentBytesMax: random.pick([128, 1_024]),
      journalBytesMax: isCalm ? 2 ** 20 : random.pick([4_096, 2 ** 20]),
      sparesMax: random.pick([0, 2]),
      checkpointMs: random.pick([1_000, 10_000]),
      checkpointBytes: random.pick([1_024, 2 ** 20]),
    },
  };
}

export async function simulate(seed: number, options: RunOptions = {}): Promise<Run> {
  const world = new World(seed, options);
  let over = false;
  const live = async () => {
    const clients = populate(world);
    await world.start();
    const driver = crashDriver(world, () => over);
    const work = Promise.all(clients.map((client) => client())).then(() => {
      over = true;
    });
    await Promise.all([driver, standbyDriver(world, () => over), work]);
    await settle(world);
  };
  await world.pass(live);
  const { digest, crashes, requests, scans, tail } = world;
  return { seed, failure: world.failure?.message ?? null, digest, crashes, requests, scans, tail };
}
