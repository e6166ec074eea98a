/**
 * One life of the service: from its start, over the requests it takes, to the moment it stops or dies.
 *
 * A crash throws all memory away. In the simulation the objects of a dead process still exist, and promises that
 * they wait for may even resolve; but its store, its disk, its clock and its clients are cut off, so that
 * nothing it does has an effect. Each such effect (a write to the disk, a call that reaches the store, an answer)
 * is a point at which a crash can be armed: the only points where dying sooner or later makes a difference.
 */

import type { Usage } from "../../../src/account/account-actor.ts";
import { KeyOwners } from "../../../src/account/key-owners.ts";
import { type ApiParts, routes } from "../../../src/api/operations.ts";
import type { Changed } from "../../../src/cluster/bus/messages.ts";
import { ownedStore } from "../../../src/cluster/owned-store.ts";
import type { Gates } from "../../../src/cluster/sharing/gates.ts";
import { partitionOf } from "../../../src/cluster/sharing/partitions.ts";
import { type Telling, tellingStore } from "../../../src/cluster/telling-store.ts";
import { builtInPlans } from "../../../src/domain/account/plans.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { emptyBlockList } from "../../../src/domain/target/block-list.ts";
import { ownHosts } from "../../../src/domain/target/url-safety.ts";
import type { AccessParts } from "../../../src/door/access.ts";
import { placeOf } from "../../../src/door/forwarding.ts";
import { patternOf } from "../../../src/door/route.ts";
import type { Method } from "../../../src/http/access.ts";
import { registerScans, type ScanRoutes } from "../../../src/redirect/link-handler.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import type { AskOwner } from "../../../src/scan/limited-elsewhere.ts";
import { openScans, type ScanLimits, type Scans } from "../../../src/scan/scans.ts";
import { type Core, openCore } from "../../../src/service/core.ts";
import { type Store, StoreUnavailable } from "../../../src/store/store.ts";
import { noTrustedProxies } from "../../../src/visitor/client-address.ts";
import { require } from "../checks/ledger.ts";
import type { CrashKind, Faults } from "../faults.ts";
import type { Gate } from "../gate.ts";
import type { Mutation } from "../mutants.ts";
import { repeating, type Seeded, seededRandom } from "../seeded-random.ts";
import type { SimulatedStore, StoreClient, StoreFaults } from "../simulated-store.ts";
import type { VirtualLoop } from "../virtual-loop.ts";
import { apiPartsOf, publicUrl } from "./api-parts.ts";
import { type Answer, answerAtTheDoor, type Fields, type Lost, type Request } from "./door.ts";
import { guardedDisk, guardedStore } from "./guarded.ts";
import { type OwnedCore, type Ownership, ownershipOf, sessionsOf } from "./ownership.ts";
import { type ScanAnswer, type ScanApp, ScanResponse, scanApp } from "./scan-socket.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";
import { simulatedRenderer } from "./simulated-renderer.ts";

/** Bounds that are so small that a short run meets them. */
export interface Settings {
  /** How many machines, each with a disk of its own, share the store; 0 is the embedded store. */
  machines: 0 | 1 | 2;
  sync: number | "always";
  renderQueueMax: number;
  scanLimits: Partial<ScanLimits>;
}

/** The core of the service, and the two ways into it. */
interface Parts {
  scans: Scans;
  /** Null while another process owns the accounts. */
  api: (ApiParts & AccessParts) | null;
  close(): Promise<void>;
  links: { app: ScanApp; routes: ScanRoutes };
}

/** Other members that serve the same links. */
export interface OtherMembers {
  gates: Gates;
  /** Asked of the one that decides. */
  limited: AskOwner;
  untilRight(): Promise<void> | null;
  call(method: Method, path: string, request: Request, partition: number | null): Promise<Answer>;
  usage(account: string): Promise<Usage>;
  /** What they are told. */
  tell(changed: Changed): Promise<void>;
  /** The number under which this process owns; null while it does not. */
  owns(): number | null;
}

export interface Ground {
  loop: VirtualLoop;
  /** Without them the process owns the accounts from its start to its end. */
  others?: OtherMembers | null;
  store: SimulatedStore;
  /** What goes wrong on the way to the store. */
  storeFaults: StoreFaults;
  disks: readonly SimulatedDisk[];
  faults: Faults;
  random: Seeded;
  settings: Settings;
  mutation: Mutation;
  gate: Gate;
  trace(line: string): void;
  /** An error that no client is told of: always a fault of the service. */
  failed(cause: unknown): void;
}

const policy = { ownHosts: ownHosts([publicUrl]), blockList: emptyBlockList };
const silent = { info() {}, warn() {}, error() {} };
const heldMsMax = 500;
/** A request that takes longer than this will never be answered. */
const answerMsMax = 60_000;

const unavailableAnswer: Answer = {
  ...{ status: 503, code: "unavailable", bytes: "the store did not answer", admission: null },
  fields: {} as Fields,
};

/** starting → serving → stopping → gone, and from each of them → gone by a crash. */
type State = "starting" | "serving" | "stopping" | "gone";

export class Process implements StoreClient {
  readonly epoch: number;
  readonly machine: number;
  readonly mayServe: () => boolean;
  readonly #ground: Ground;
  readonly #lost = new Set<() => void>();
  #state: State = "starting";
  isStale = false;
  #parts: Parts | null = null;
  #storeDied: () => void = () => {};
  #armed: { effects: number; of: string | null; kind: CrashKind; crash: (kind: CrashKind) => void } | null =
    null;
  #requests = 0;
  /** Opens what decides for the accounts, where that is not there all along. */
  #open: ((isOurs: () => boolean) => Promise<OwnedCore>) | null = null;
  #telling: Telling<Store> | null = null;
  /** Whether what concerns no single account is done here. */
  #keeps = false;
  #keys: KeyOwners | null = null;

  constructor(ground: Ground, machine: number, epoch: number, mayServe: () => boolean = () => true) {
    this.#ground = ground;
    this.machine = machine;
    this.epoch = epoch;
    this.mayServe = mayServe;
  }

  get isAlive(): boolean {
    return this.#state !== "gone";
  }

  get #disk(): SimulatedDisk {
    return this.#ground.disks[this.machine]!;
  }

  get isServing(): boolean {
    return this.#state === "serving";
  }

  get parts(): Parts {
    return this.#parts!;
  }

  async start(): Promise<void> {
    const { loop, random, faults, storeFaults, settings, mutation, gate } = this.#ground;
    const { store, died } = this.#ground.store.openFor(this, storeFaults, settings.machines > 0);
    this.#storeDied = died;
    const clock: Clock = {
      now: () => loop.now(),
      after: (ms, run) =>
        loop.after(ms, () => gate.run("timer", () => (this.isAlive || this.isStale) && run())),
    };
    const reached = guardedStore(gate, store);
    const mutated = mutation.store?.(reached) ?? reached;
    const { others = null } = this.#ground;
    this.#telling = others && tellingStore(mutated, others.tell);
    const served = this.#telling?.store ?? mutated;
    const disk = guardedDisk(gate, this.#disk.openFor(this, faults));
    const ownRandom = random.fork().bytes;
    const slugRandom = repeating(random.fork());
    const renderer = gate.guard(simulatedRenderer(loop, random.fork(), faults));
    const gates = others?.gates;
    const owns = (account: string) => gates!.isHere(partitionOf(account));
    const open = (store: Store, scans: Scans | null) =>
      openCore(
        { store, disk, clock, random: slugRandom, renderer, log: silent, scans },
        {
          dataDir: "/data",
          scanSync: settings.sync,
          scanLimits: settings.scanLimits,
          renderQueueMax: settings.renderQueueMax,
          plans: builtInPlans,
          publicUrl: () => publicUrl,
          policy: () => policy,
          remoteCheck: null,
          ...(others && { elsewhere: { owns, usage: others.usage } }),
        },
        { commits: { committed() {}, failed() {} }, rendered() {} },
        mutation,
      );
    const apiOf = (core: Core, store: Store) => apiPartsOf(core, store, clock, ownRandom);
    if (others === null) {
      const core = await open(served, null);
      void core.renders.start();
      this.#serve({ ...core, api: apiOf(core, served) });
      return;
    }
    const scans = await (mutation.scans ?? openScans)({
      ...{ store: served, disk, clock, log: silent, dataDir: "/data", othersCount: true },
      ...{ sync: settings.sync, limits: settings.scanLimits },
      elsewhere: {
        places: {
          partitionOf,
          enter: (partition) => others.gates.enter(partition),
          leave: (partition) => others.gates.leave(partition),
          taken: (partition) => others.gates.taken(partition),
        },
        ask: others.limited,
        untilRight: others.untilRight,
        keeps: () => this.#keeps,
        readAgain: (slugs) => others.tell({ slugs, limited: [], projects: [], accounts: [] }),
      },
    });
    this.#keys = new KeyOwners(served);
    this.#open = async (isOurs) => {
      const store = ownedStore(served, isOurs, this.#telling!.settled);
      const core = await open(store, scans);
      this.parts.api = apiOf(core, store);
      return { ...core, sessions: sessionsOf(core, store, clock) };
    };
    this.#serve({ scans, api: null, close: () => scans.close() });
  }

  /** The number under which it owns. */
  owns(): number | null {
    const { others } = this.#ground;
    return others ? others.owns() : this.epoch;
  }

  /** Decides for the accounts from now on, as long as they are its own. */
  async own(isOurs: () => boolean, keeps: boolean): Promise<Ownership> {
    // Whatever was not told is read again by all.
    this.#telling!.forgive();
    const core = await this.#open!(isOurs);
    this.#keeps = keeps;
    const { others, mutation } = this.#ground;
    return ownershipOf({
      ...{ core, isOurs, mutation, gates: others!.gates, telling: this.#telling! },
      scans: this.parts.scans,
      decideNothing: () => {
        this.parts.api = null;
        this.#keeps = false;
      },
    });
  }

  #serve(parts: Omit<Parts, "links">): void {
    const app = scanApp();
    const routes = registerScans(app.app, {
      scans: parts.scans,
      countries: { lookup: () => null },
      trustedProxies: noTrustedProxies,
      countryHeader: null,
      // The same for all runs: what ends a connection by chance does not shift what else happens.
      random: seededRandom(0).bytes,
    });
    this.#parts = { ...parts, links: { app, routes } };
    if (this.#state === "starting") this.#state = "serving";
  }

  /** Dies after so many more effects, all or only those of one kind. */
  arm(effects: number, kind: CrashKind, crash: (kind: CrashKind) => void, of: string | null = null): void {
    this.#armed = { effects, of, kind, crash };
  }

  disarm(): void {
    this.#armed = null;
  }

  effect(what: string): void {
    if (!this.isAlive) return;
    this.#ground.trace(what);
    if (this.#armed === null || (this.#armed.of ?? what) !== what || --this.#armed.effects > 0) return;
    const { crash, kind } = this.#armed;
    this.#armed = null;
    crash(kind);
  }

  /** From here on nothing of this process has an effect; whoever waits for it is told that it is gone. */
  die(kind: CrashKind): void {
    this.#state = "gone";
    this.isStale = kind === "declared dead";
    if (kind === "power cut") this.#disk.powerCut();
    else this.#disk.killed();
    for (const lose of this.#lost) lose();
    this.#lost.clear();
    if (!this.isStale) this.#storeDied();
  }

  /** The orderly stop: what was answered is stored, exactly. */
  async stop(): Promise<void> {
    await this.stopTaking();
    await this.close();
  }

  /** Resolves when all that was taken is answered. */
  async stopTaking(): Promise<void> {
    const { loop } = this.#ground;
    const { links, scans } = this.parts;
    this.#state = "stopping";
    const until = loop.now() + answerMsMax;
    while (this.#requests > 0 || scans.loader.underWay > 0) {
      require(loop.now() < until, () => `${this.#requests} requests are never answered`);
      await loop.sleep(1);
    }
    // Scans whose visitors have left are still held for the length of a sync.
    await loop.sleep(heldMsMax);
    await links.routes.drain();
  }

  async close(): Promise<void> {
    await this.parts.close();
    this.#state = "gone";
  }

  call(method: Method, path: string, request: Request): Promise<Answer | Lost> {
    const route = routes.find((known) => known.method === method && patternOf(known) === path)!;
    return this.#untilLost((answered) => {
      const requestId = `request-${this.#ground.random.below(2 ** 32)}`;
      this.#ground.gate.run("request", () => {
        const answer = this.#answer(route, method, path, request, requestId);
        void answer.then((given) => {
          this.effect("answer");
          if (this.isAlive) answered(given);
        });
      });
    });
  }

  /** As the front does it: by whoever decides for the account. */
  async #answer(
    route: (typeof routes)[number],
    method: Method,
    path: string,
    request: Request,
    requestId: string,
  ): Promise<Answer> {
    const { others = null, failed } = this.#ground;
    const atTheDoor = () => answerAtTheDoor(route, request, requestId, this.parts.api!, failed);
    if (others === null) return atTheDoor();
    const place = placeOf(route);
    if (place === "keeper" || place === "anybody") {
      return this.#keeps ? atTheDoor() : others.call(method, path, request, null);
    }
    let partition: number | null;
    try {
      const account =
        place === "path" ? request.params![0]! : (await this.#keys!.read(request.key ?? "")).accountId;
      partition = partitionOf(account);
    } catch (cause) {
      if (cause instanceof StoreUnavailable) return unavailableAnswer;
      if (!(cause instanceof ApiError)) throw cause;
      partition = null;
    }
    if (partition === null || !others.gates.enter(partition)) {
      return others.call(method, path, request, partition);
    }
    try {
      return await atTheDoor();
    } finally {
      others.gates.leave(partition);
    }
  }

  /** For requests that another member took. */
  answerHere(
    method: Method,
    path: string,
    request: Request,
    waitedFor: () => boolean,
  ): Promise<Answer | Lost> {
    const route = routes.find((known) => known.method === method && patternOf(known) === path)!;
    return this.#untilLost((answered) => {
      const requestId = `request-${this.#ground.random.below(2 ** 32)}`;
      const { api } = this.parts;
      if (api === null) return;
      const { failed } = this.#ground;
      void answerAtTheDoor(route, request, requestId, api, failed, waitedFor).then((given) => {
        this.effect("answer");
        if (this.isAlive) answered(given);
      });
    });
  }

  /**
   * `leaveAfterMs`: the visitor does not wait for the answer any longer. `onAnswer` runs in the same moment as the
   * answer leaves: a crash in the next one must not come between.
   */
  scan(
    method: "GET" | "HEAD",
    slug: string,
    leaveAfterMs: number | null,
    onAnswer: (answer: ScanAnswer) => void,
  ): Promise<ScanAnswer | Lost> {
    return this.#untilLost((answered, lose) => {
      const res = new ScanResponse((answer) => {
        this.effect("scan answer");
        if (!this.isAlive) return;
        onAnswer(answer);
        answered(answer);
      });
      if (leaveAfterMs !== null) {
        this.#ground.loop.after(leaveAfterMs, () => {
          res.abort();
          lose();
        });
      }
      this.#ground.gate.run("request", () => {
        if (!res.isAborted) this.parts.links.app.serve(method, slug, res);
      });
    });
  }

  #untilLost<T>(begin: (answered: (answer: T) => void, lose: () => void) => void): Promise<T | Lost> {
    this.#requests++;
    return new Promise((resolve) => {
      let open = true;
      const end = (answer: T | Lost) => {
        if (!open) return;
        open = false;
        this.#requests--;
        this.#lost.delete(lose);
        resolve(answer);
      };
      const lose = () => end("lost");
      this.#lost.add(lose);
      begin(end, lose);
    });
  }
}
