/**
 * One of several processes on a database: the real lease, roles and core. It can be killed, paused, suspended with its
 * whole machine, and cut off from the database in either direction.
 */
import type { Changed } from "../../../src/cluster/bus/messages.ts";
import { handOver } from "../../../src/cluster/hand-over.ts";
import { createLease, type Lease, type LeaseRecord } from "../../../src/cluster/lease.ts";
import { RightToServe, type Watches } from "../../../src/cluster/right-to-serve.ts";
import { Gates } from "../../../src/cluster/sharing/gates.ts";
import { partitionOf } from "../../../src/cluster/sharing/partitions.ts";
import { leaseGapMs } from "../../../src/limits.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import { journalDirectory, recoverJournal } from "../../../src/scan/journal/recovery.ts";
import type { LimitedScan } from "../../../src/scan/limited-elsewhere.ts";
import { Cluster } from "../../../src/service/cluster/cluster.ts";
import type { DecidingParts } from "../../../src/service/cluster/deciding.ts";
import { createRoles, type Role, type Roles } from "../../../src/service/cluster/roles.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import type { CommitFate } from "../faults.ts";
import { PauseGate } from "../gate.ts";
import { guardedStore } from "../machine/guarded.ts";
import { type Ground, type OtherMembers, Process } from "../machine/process.ts";
import type { StoreClient, StoreFaults } from "../simulated-store.ts";
import { answering, forwarded } from "./letters.ts";
import type { MembersWorld } from "./members-world.ts";
import { SimulatedFence } from "./simulated-fence.ts";
import type { Way } from "./simulated-lease.ts";
import type { Station } from "./simulated-network.ts";

export type Cut = "none" | "nothing gets out" | "nothing gets in";

const silent = { info() {}, warn() {}, error() {} };
/** A message that is lost is waited for this long in each direction. */
const lostMs = 750;

interface Serving extends Role {
  process: Process;
}

const nothingUsed = { keys: [], sessions: [] };

export class Member implements Way, Station {
  readonly name: string;
  readonly machine: number;
  readonly #world: MembersWorld;
  readonly gate = new PauseGate();
  readonly #clock: Clock;
  readonly #gates: Gates;
  readonly #lease: Lease;
  /** Null where members do not speak with each other. */
  readonly #cluster: Cluster | null;
  readonly #roles: Roles<Serving>;
  readonly #fence: SimulatedFence;
  /** Time that the machine's steady clock has not seen. */
  #suspendedMs = 0;
  #pausedAt: number | null = null;
  #process: Process | null = null;
  /** Of one that speaks with others: it lasts, whoever owns. */
  #front: Process | null = null;
  #cut: Cut = "none";
  busCut: Cut = "none";
  #died = () => {};
  #takeOfSession: DecidingParts["takeOfSession"] = () =>
    Promise.reject(new StoreUnavailable("Nobody decides."));
  isAlive = true;
  isStarted = false;
  isStopping = false;
  /** Since when nothing has kept it from looking at the lease for long. */
  clearSince: number;

  constructor(world: MembersWorld, machine: number, name: string) {
    const { loop, mutation } = world;
    this.#world = world;
    this.machine = machine;
    this.name = name;
    this.clearSince = loop.now();
    this.#gates = new Gates({ now: () => loop.now(), after: (ms, run) => this.#clock.after(ms, run) });
    this.#clock = {
      now: () => loop.now(),
      after: (ms, run) => loop.after(ms, () => this.gate.run("timer", () => this.isAlive && run())),
    };
    const clock = this.#clock;
    const watches: Watches = { steady: () => loop.now() - this.#suspendedMs, wall: () => loop.now() };
    const record = this.#record;
    this.#fence = new SimulatedFence(world, this, this.gate, () => this.#lease.epoch());
    const right = mutation.right?.(watches) ?? new RightToServe(watches);
    this.#cluster = !world.isCluster
      ? null
      : new Cluster({
          ...{ name, clock, watches, right, address: name, log: silent, lease: () => this.#lease },
          network: world.network.openFor(this, name),
          secret: new Uint8Array(32),
          random: world.random.fork().bytes,
          gates: this.#gates,
          deputyChanged: () => this.#takeRole(),
          ...(mutation.make && { make: mutation.make }),
        });
    this.#lease = createLease({
      record: mutation.record?.(record, name) ?? record,
      clock,
      right,
      ...this.#cluster?.leaseOptions,
      patienceMs: world.patienceMs,
      holder: name,
      changed: () => this.#takeRole(),
    });
    const lease = mutation.lease?.(this.#lease) ?? this.#lease;
    this.#roles = createRoles<Serving>({
      lease: {
        epoch: () => this.#epochNow,
        hasEvicted: () => lease.hasEvicted(),
        outwaited: () => lease.outwaited(),
      },
      clock,
      log: silent,
      changed() {},
      cast: {
        standBy: async () => ({ leave: async () => {} }),
        open: (epoch) => this.#open(epoch, lease),
        // Whoever follows has begun with that.
        handOver: () => (this.#cluster === null ? this.#handOver() : Promise.resolve()),
      },
    });
  }

  #takeRole(): void {
    void this.#roles.take().catch((cause) => this.isStarted && this.#failed(cause));
  }

  /** Under which it owns, by the lease or as a deputy. */
  get #epochNow(): number | null {
    return this.#lease.epoch() ?? this.#cluster?.deputyEpoch() ?? null;
  }

  /** Partitions that it decides for. */
  get partitions(): number {
    return this.#gates.size;
  }

  readonly decidesFor = (account: string): boolean => this.#gates.isOpen(partitionOf(account));

  /** As an answer to a request of a session begins; null when the right to serve is over. */
  async takeOfSession(id: string): Promise<{ refused: string | null } | null> {
    if (this.#front?.mayServe() !== true || this.#roles.serving() === null) return null;
    return new Promise((resolve, reject) => {
      this.gate.run("request", () => {
        const taken = this.#takeOfSession(id);
        taken.then((told) => this.gate.run("answer", () => this.isAlive && resolve(told)), reject);
      });
    });
  }

  /** The way to the database. */
  ms(): number {
    if (this.#world.isAway || this.#cut !== "none") return lostMs;
    return this.#world.wayMs();
  }

  get sends(): boolean {
    return this.isAlive && !this.#world.isAway && this.#cut !== "nothing gets out";
  }

  get receives(): boolean {
    return this.isAlive && !this.#world.isAway && this.#cut === "none";
  }

  get isPaused(): boolean {
    return this.#pausedAt !== null;
  }

  get isCut(): boolean {
    return this.#cut !== "none";
  }

  /** What takes requests here; null when it stands by. */
  get serving(): Process | null {
    if (!this.isAlive || this.isStopping) return null;
    return this.#front ?? this.#roles.serving()?.process ?? null;
  }

  /** As it says of itself. */
  get isReady(): boolean {
    if (this.#cluster === null) return this.isOwner && this.#lease.mayServe();
    const isConnected = this.#cluster.isKnown() || this.#roles.serving() !== null;
    return isConnected && !this.#cluster.isCutOff() && this.#cluster.mayServe();
  }

  get isOwner(): boolean {
    return this.isAlive && this.#lease.state() === "owner";
  }

  start(): void {
    this.gate.run("timer", () => void this.#start());
  }

  async #start(): Promise<void> {
    try {
      if (this.#cluster !== null) this.#front = await this.#openFront(this.#cluster);
      await this.#lease.start();
      await this.#roles.take();
      this.isStarted = true;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) return this.#failed(cause);
      await this.#lease.release();
      this.kill();
      await this.#world.loop.sleep(1_000);
      // As a supervisor would, unless somebody else did.
      if (this.#world.members[this.machine] === this) this.#world.startMember(this.machine);
    }
  }

  cut(cut: Cut): void {
    this.#cut = cut;
  }

  /** For so long it could not look at the lease: if that is long, its watch has to begin anew. */
  wasHindered(ms: number): void {
    if (ms >= leaseGapMs) this.clearSince = this.#world.loop.now();
  }

  /** For so long the database was out of reach; a look that was sent meanwhile may arrive afterwards. */
  wasCut(ms: number): void {
    this.wasHindered(ms - lostMs);
  }

  pause(): void {
    if (this.isPaused) return;
    this.#pausedAt = this.#world.loop.now();
    this.gate.close();
  }

  wake(wasSuspended: boolean): void {
    if (this.#pausedAt === null) return;
    const { loop, random } = this.#world;
    if (wasSuspended) this.#suspendedMs += loop.now() - this.#pausedAt;
    this.wasHindered(wasSuspended ? 0 : loop.now() - this.#pausedAt);
    this.#pausedAt = null;
    this.gate.open(random, (run) => loop.after(0, run));
  }

  /** At the next effect of this kind that it has, or that has it. */
  atEffect(of: string, run: () => void): void {
    this.#front?.arm(1, "kill", run, of);
  }

  disarm(): void {
    this.#front?.disarm();
  }

  kill(): void {
    if (this.isAlive) this.#world.network.died(this);
    this.isAlive = false;
    this.#process?.die("kill");
    this.#front?.die("kill");
    this.#died();
  }

  /** The orderly stop. It may be killed meanwhile. */
  stop(): Promise<void> {
    this.isStopping = true;
    return new Promise((resolve) => {
      this.#died = resolve;
      this.gate.run("request", () => void this.#stop());
    });
  }

  async #stop(): Promise<void> {
    await this.#leave().catch((cause) => {
      if (!(cause instanceof StoreUnavailable)) this.#failed(cause);
    });
    if (this.isOwner) await this.#cluster?.dismiss();
    await this.#lease.release();
    this.#cluster?.close();
    this.kill();
  }

  async #leave(): Promise<void> {
    if (this.#cluster === null) return this.#roles.end();
    const front = this.#front!;
    const cluster = this.#cluster;
    const leave = async () => {
      await front.stopTaking();
      await cluster.resign();
      await this.#roles.end();
    };
    const given = { lease: this.#lease, heirs: this.#cluster, close: () => front.close() };
    if (!this.#world.mutation.handsOverEarly) return handOver({ ...given, leave });
    let left = Promise.resolve();
    await handOver({
      ...given,
      async leave() {
        left = leave();
      },
    });
    await left;
  }

  readonly #failed = (cause: unknown): void => {
    // Everything that it waits for is cut off with its life.
    if (this.isAlive) this.#world.failed(cause);
  };

  #ground(): Ground {
    const { loop, store, disks, faults, random, settings, mutation, trace, failed } = this.#world;
    return {
      ...{ loop, store, disks, faults, random, settings, mutation, failed },
      trace: trace.bind(this.#world),
      storeFaults: this.#storeFaults,
      gate: this.gate,
    };
  }

  readonly #storeFaults: StoreFaults = {
    storeMs: () => (this.receives ? this.#world.faults.storeMs() : lostMs),
    readFails: () => !this.receives || this.#world.faults.readFails(),
    commitFate: (): CommitFate => {
      if (!this.sends) return "refused";
      return this.receives ? this.#world.faults.commitFate() : "stored, answer lost";
    },
    storedTwice: () => this.#world.faults.storedTwice(),
  };

  async #open(epoch: number, lease: Lease): Promise<() => Promise<Serving>> {
    const { mutation } = this.#world;
    const isOurs = () => this.#epochNow === epoch;
    const mayServe = () => isOurs() && (mutation.servesPastTheRight === true || lease.mayServe());
    const keeps = lease.epoch() === epoch;
    if (keeps && !(await this.#fence.close(epoch))) {
      this.#lease.lost();
      throw new StoreUnavailable("Another process owns it.");
    }
    const cluster = this.#cluster;
    if (keeps) cluster?.fenced(epoch);
    if (cluster !== null) return () => this.#own(cluster, epoch, isOurs, keeps);
    return async () => {
      const process = new Process(this.#ground(), this.machine, epoch, mayServe);
      this.#process = process;
      await process.start().catch((cause) => {
        process.die("kill");
        throw cause;
      });
      return { process, leave: () => process.stop().finally(() => process.die("kill")) };
    };
  }

  async #own(cluster: Cluster, epoch: number, isOurs: () => boolean, keeps: boolean): Promise<Serving> {
    const process = this.#front!;
    const { scans } = process.parts;
    if (keeps) cluster.serve(epoch);
    const owned = await process.own(isOurs, keeps);
    if (keeps) {
      const { keys, sessions } = await cluster.rates.inherited();
      owned.directory.receive(keys);
      owned.sessions.receive(sessions);
    }
    const parts: DecidingParts = {
      epoch,
      scans,
      inner: answering(process, this.#world.letters),
      usage: (account) => owned.directory.usage(account),
      takeOfSession: (id) => owned.sessions.take(id),
      rescan: () => Promise.resolve({ checked: 0, blocked: 0, unblocked: 0 }),
      movesOf: (of) => scans.clearing.movesOf(of),
      release: (partitions) => owned.release(partitions),
      take: (partitions, meters) => owned.take(partitions, meters),
    };
    cluster.answerWith(parts, keeps ? this.#fence.deputies : null);
    const leave = async () => {
      if (!isOurs()) {
        cluster.answerNobody();
        owned.decideNothing();
      }
      await owned.quiet();
      await cluster.refuse();
      owned.decideNothing();
      await owned.close();
      const used = { keys: owned.directory.handOver(), sessions: owned.sessions.handOver() };
      if (keeps) cluster.rates.leaves(this.#world.mutation.bequeathsNothing ? nothingUsed : used);
    };
    const isHere = keeps || this.#world.mutation.metersSessionsApart;
    this.#takeOfSession = isHere ? parts.takeOfSession : (id) => cluster.beyond.takeOfSession(id);
    return { process, leave };
  }

  #tell(changed: Changed): Promise<void> {
    const told = this.#cluster!.tell(changed);
    if (!this.#world.mutation.awaitsNobody) return told;
    told.catch(() => {});
    return Promise.resolve();
  }

  async #openFront(cluster: Cluster): Promise<Process> {
    const epoch = await this.#record.nextEpoch(0, true);
    const others: OtherMembers = {
      limited: (partition, scans) => this.#limited(partition, scans),
      untilRight: cluster.untilRight,
      call: (method, path, request, partition) =>
        forwarded(cluster, this.#world.letters, { method, path, request }, partition),
      tell: (changed) => this.#tell(changed),
      owns: () => this.#epochNow,
      gates: this.#gates,
      usage: (account) => cluster.usage(account),
    };
    const mayServe = () => this.#world.mutation.servesPastTheRight === true || cluster.mayServe();
    const process = new Process({ ...this.#ground(), others }, this.machine, epoch, mayServe);
    this.#process = process;
    await process.start();
    cluster.keepFresh(process.parts.scans);
    return process;
  }

  async #limited(partition: number, scans: readonly LimitedScan[]): Promise<readonly number[]> {
    const ask = () => this.#cluster!.limited(partition, scans);
    return this.#world.mutation.retriesLimited ? ask().catch(() => this.#clockSleep(50).then(ask)) : ask();
  }

  #clockSleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve));
  }

  get #record(): LeaseRecord {
    return this.gate.guard(this.#world.lease.openFor(this));
  }

  async #handOver(): Promise<void> {
    const { disks, faults } = this.#world;
    const member = this;
    const client: StoreClient = {
      get isAlive() {
        return member.isAlive;
      },
      isStale: false,
      epoch: 0,
      effect() {},
    };
    const store = guardedStore(this.gate, this.#world.store.openFor(client, this.#storeFaults, true).store);
    const disk = disks[this.machine]!.openFor(client, faults);
    const now = this.#world.loop.now();
    await recoverJournal({ disk, directory: journalDirectory("/data"), now, log: silent }, store);
  }
}
