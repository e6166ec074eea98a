/**
 * A run with several members on one database: one owns it, the others stand by, and everything happens to all of them.
 *
 * Clients ask any member, most of the time one that serves: what it answers must be what the ledger owes them, whoever
 * answers. So a member that was paused or cut off, and serves a target that was changed at another one meanwhile, is
 * found by the same check that finds a lost write.
 */

import type { Method } from "../../../src/http/access.ts";
import { evictionWaitMs, leaseMs, leaseRenewMs, partitionsMax } from "../../../src/limits.ts";
import { checkAnalytics } from "../checks/analytics-checks.ts";
import { checkCounts, checkStored } from "../checks/checks.ts";
import { Chronicle } from "../checks/chronicle.ts";
import { allRendered, linksTellTheTruth } from "../checks/ending.ts";
import { Ledger, require, SimulationFailure } from "../checks/ledger.ts";
import { requireFullWindows } from "../clients/key-holder.ts";
import { drawWeather, Faults, type Weather } from "../faults.ts";
import type { Answer, Lost, Request } from "../machine/door.ts";
import type { Settings } from "../machine/process.ts";
import { SimulatedDisk } from "../machine/simulated-disk.ts";
import type { LinkServer, Scene } from "../scene.ts";
import { type Seeded, seededRandom } from "../seeded-random.ts";
import { SimulatedStore } from "../simulated-store.ts";
import { VirtualLoop } from "../virtual-loop.ts";
import { Letters } from "./letters.ts";
import { Member } from "./member.ts";
import { populateMembers } from "./mover.ts";
import type { MembersMutation } from "./mutants.ts";
import { SimulatedLease } from "./simulated-lease.ts";
import { SimulatedNetwork } from "./simulated-network.ts";
import { restartDriver, troubleDriver } from "./troubles.ts";

export interface MembersRun {
  seed: number;
  failure: string | null;
  digest: string;
  evictions: number;
  requests: number;
  scans: number;
  tail: string[];
}

/**
 * `members`: one serves, the others stand by. `cluster`: all serve, and are connected with each other. `restarts`: the
 * same, and nothing happens to any but that it is stopped and started again; then no request may fail.
 */
export type Company = "members" | "cluster" | "restarts";

/** Until somebody serves when nothing goes wrong any more. */
const recoveryMsMax = 60_000;

export class MembersWorld extends Chronicle implements Scene {
  readonly random: Seeded;
  readonly loop: VirtualLoop;
  readonly store: SimulatedStore;
  readonly disks: readonly SimulatedDisk[];
  readonly faults: Faults;
  readonly settings: Settings;
  readonly mutation: MembersMutation;
  readonly ledger = new Ledger();
  readonly lease: SimulatedLease;
  /** Whether members speak with each other, and all serve. */
  readonly isCluster: boolean;
  /** Whether nothing goes wrong. */
  readonly isCalm: boolean;
  readonly network: SimulatedNetwork;
  readonly letters = new Letters();
  readonly members: Member[] = [];
  /** How long members watch renewals stand still: no promise may depend on it. */
  readonly patienceMs: number;
  /** Whether the database is away for all. */
  isAway = false;
  /** Called at every renewal, when it has arrived and its answer has not. */
  atRenewal: ((member: Member) => void) | null = null;
  evictions = 0;
  requests = 0;
  scans = 0;
  #names = 0;

  constructor(seed: number, mutation: MembersMutation, tailLines: number, company: Company) {
    super(tailLines);
    this.isCluster = company !== "members";
    this.isCalm = company === "restarts";
    this.random = seededRandom(seed);
    this.loop = new VirtualLoop(this.random.fork(), Date.UTC(2030, 0, 15, 12));
    this.store = new SimulatedStore(this.loop, this.random.fork());
    const machines = this.random.between(2, 3);
    this.disks = Array.from({ length: machines }, () => new SimulatedDisk(this.loop, this.random.fork()));
    const weather = this.isCalm ? drawCalm(this.random) : drawSharedWeather(this.random);
    this.faults = new Faults(weather, this.random.fork());
    this.settings = drawSettings(this.random);
    this.patienceMs = this.random.pick([1.5 * leaseRenewMs, leaseMs / 2, leaseMs]);
    this.mutation = mutation;
    Object.assign(this.store.database.faults, mutation.database);
    this.network = new SimulatedNetwork(this.loop, this.random.fork(), this.isCalm);
    this.lease = new SimulatedLease(this.loop, {
      evicted: (holder) => this.#evicted(holder),
      renewed: (holder) => this.atRenewal?.(this.#named(holder)),
    });
  }

  /** Of a message between a member and the database. */
  wayMs(): number {
    return !this.isCalm && this.random.chance(0.05) ? this.random.between(0, 700) : this.faults.storeMs();
  }

  get process(): LinkServer | null {
    const { serving } = this;
    return serving.length === 0 ? null : this.random.pick(serving).serving;
  }

  /** Those that take requests, whether or not they should. Where no request may fail, whoever sends them asks first. */
  get serving(): Member[] {
    return this.members.filter((member) => member.serving !== null && (!this.isCalm || member.isReady));
  }

  startMember(machine: number): Member {
    const member = new Member(this, machine, `member ${++this.#names} on machine ${machine}`);
    this.members[machine] = member;
    this.trace(`${member.name} starts`);
    member.start();
    return member;
  }

  async call(method: Method, path: string, request: Request): Promise<Answer | Lost> {
    this.requests++;
    const { serving } = this;
    if (serving.length === 0) {
      require(!this.isCalm, () => "nobody serves, and nothing went wrong");
      await this.loop.sleep(200);
      return "lost";
    }
    // Whoever took over last, most of the time: there is somebody's way around a member that hangs.
    const newest = serving.reduce((a, b) => (a.serving!.epoch > b.serving!.epoch ? a : b));
    const asked = !this.isCluster && this.random.chance(0.8) ? newest : this.random.pick(serving);
    const what = `${method} ${path} ${request.params?.at(-1) ?? ""} at ${asked.name}`;
    this.trace(`${what} begins`);
    const answer = await asked.serving!.call(method, path, request);
    // What a member handed on before it died may still be on its way, by the keeper to who decides: nobody can tell.
    if (answer === "lost" && this.isCluster) await this.loop.sleep(2 * evictionWaitMs);
    this.trace(`${what} ${answer === "lost" ? answer : `${answer.status} ${answer.code}`}`);
    return answer;
  }

  /** Nothing goes wrong any more. */
  async calmDown(): Promise<void> {
    this.faults.stop();
    this.isAway = false;
    this.members.forEach((member, machine) => {
      member.cut("none");
      member.busCut = "none";
      member.wake(false);
      if (!member.isAlive) this.startMember(machine);
    });
    const until = this.loop.now() + recoveryMsMax;
    const settled = () =>
      this.members.every((member) => member.isStarted && !member.isStopping) &&
      this.members.filter((member) => member.isOwner).length === 1 &&
      this.process !== null &&
      this.store.database.unfolded === 0 &&
      (!this.isCluster || this.#isSharedOut());
    while (!settled()) {
      require(this.loop.now() < until, () => "nobody serves a minute after everything is well again");
      await this.loop.sleep(500);
    }
    // Journals that were found are handed over, then folded.
    await this.loop.sleep(recoveryMsMax);
  }

  /** Every member decides for some of the accounts, and one for each. */
  #isSharedOut(): boolean {
    const counts = this.members.map(({ partitions }) => partitions);
    return Math.min(...counts) > 0 && counts.reduce((sum, count) => sum + count) === partitionsMax;
  }

  #named(name: string): Member {
    return this.members.find((member) => member.name === name)!;
  }

  #evicted(holder: string): void {
    this.evictions++;
    this.trace(`${holder} evicts`);
    const taker = this.#named(holder);
    const clear = this.loop.now() - taker.clearSince;
    if (clear >= this.patienceMs) return;
    this.failed(
      new SimulationFailure(
        `${holder} evicts after it could look for ${clear} ms, and is to be patient for ${this.patienceMs} ms`,
      ),
    );
  }
}

function drawCalm(random: Seeded): Weather {
  const none = { readFails: 0, commitRefused: 0, answerLost: 0, storedTwice: 0, renderFails: 0 };
  return {
    ...{ ...drawSharedWeather(random), ...none, isCalm: true },
    ...{ renderHangs: 0, declaredDead: 0, visitorsLeave: 0, storeMsMax: random.pick([0, 3, 20]) },
  };
}

/** What this world is not about is left to the other one: disks that lose something, and days without a cloud. */
function drawSharedWeather(random: Seeded): Weather {
  return { ...drawWeather(random), isCalm: false, syncFails: 0, diskFills: 0, crashes: 0, powerCuts: 0 };
}

function drawSettings(random: Seeded): Settings {
  return {
    machines: 2,
    sync: random.pick([100, "always"] as const),
    renderQueueMax: 100,
    scanLimits: { linksMax: 100, turnScansMax: 16, checkpointMs: 1_000 },
  };
}

async function live(world: MembersWorld): Promise<void> {
  const clients = populateMembers(world);
  for (const machine of world.disks.keys()) world.startMember(machine);
  const isReady = () => (world.isCalm ? world.serving.length === world.disks.length : world.process !== null);
  while (!isReady()) await world.loop.sleep(100);
  let isOver = false;
  const work = Promise.all(clients.map((client) => client())).then(() => {
    isOver = true;
  });
  await Promise.all([(world.isCalm ? restartDriver : troubleDriver)(world, () => isOver), work]);
  await world.calmDown();
  await allRendered(world);
  await linksTellTheTruth(world);
  for (const member of [...world.members].sort((a, b) => Number(a.isOwner) - Number(b.isOwner))) {
    await member.stop();
  }
  checkStored(world);
  checkCounts(world, true);
  checkAnalytics(world);
  if (world.isCalm) requireFullWindows(world.ledger.accounts);
}

export interface MembersOptions {
  mutation?: MembersMutation;
  tailLines?: number;
}

export function simulateMembers(seed: number, options: MembersOptions = {}): Promise<MembersRun> {
  return simulateWorld(seed, options, "members");
}

export function simulateCluster(seed: number, options: MembersOptions = {}): Promise<MembersRun> {
  return simulateWorld(seed, options, "cluster");
}

export function simulateRestarts(seed: number, options: MembersOptions = {}): Promise<MembersRun> {
  return simulateWorld(seed, options, "restarts");
}

async function simulateWorld(
  seed: number,
  { mutation = {}, tailLines = 0 }: MembersOptions,
  company: Company,
): Promise<MembersRun> {
  const world = new MembersWorld(seed, mutation, tailLines, company);
  await world.pass(() => live(world));
  const { digest, evictions, requests, scans, tail } = world;
  return { seed, failure: world.failure?.message ?? null, digest, evictions, requests, scans, tail };
}
