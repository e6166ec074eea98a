/**
 * The front of a process: what serves links, listens, counts and tells of itself, from its start to its end.
 *
 * Whether the process decides for the accounts is beside it (`owned.ts`): that may begin and end while the front goes
 * on. Rejected: one composition for every role. A change of role then closes the listener, forgets every link and takes
 * a new number to count under.
 */
import manifest from "../../package.json" with { type: "json" };
import type { Usage } from "../account/account-actor.ts";
import { KeyOwners } from "../account/key-owners.ts";
import { type PageTokens, pageTokens } from "../api/list-pages.ts";
import { linkMethods, routes } from "../api/operations.ts";
import { getHealth, getMetrics, getReadiness } from "../api/service.ts";
import type { Gates } from "../cluster/sharing/gates.ts";
import { partitionOf } from "../cluster/sharing/partitions.ts";
import type { Config } from "../config.ts";
import { type DashboardParts, dashboardRoutes } from "../dashboard-api/operations.ts";
import { ownHosts, type UrlPolicy } from "../domain/target/url-safety.ts";
import { type AccessParts, challenged } from "../door/access.ts";
import { openAccessLog } from "../door/access-log.ts";
import { accountIn } from "../door/account-in-request.ts";
import { type AdminGuard, openAdminGuard } from "../door/admin-guard.ts";
import { type Elsewhere, type Forward, noOwner } from "../door/forwarding.ts";
import { listen, type Server } from "../door/server.ts";
import { openSessionGuard, type SessionGuard } from "../door/session-guard.ts";
import type { Engine } from "../engine/engine.ts";
import type { InnerApp } from "../engine/inner-app.ts";
import { drainMsMax, sharedCheckpointMs } from "../limits.ts";
import { verdicts } from "../link/decision.ts";
import type { Family } from "../metrics/exposition.ts";
import { type Metrics, openMetrics } from "../metrics/metrics.ts";
import { requireRoom } from "../people/session-meters.ts";
import { openSessions, type Sessions } from "../people/sessions.ts";
import { registerScans, type ScanRoutes } from "../redirect/link-handler.ts";
import { onlyPeerOf } from "../redirect/visit.ts";
import { openRenderer, type Renderer } from "../render/pool.ts";
import { goOn } from "../runtime/at-once.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { type Opened, openWhole } from "../runtime/opened.ts";
import { type Random, systemRandom } from "../runtime/random.ts";
import { openBlockList } from "../safety/block-list-file.ts";
import type { RemotePolicy } from "../safety/remote-check.ts";
import type { RescanResult } from "../safety/rescan.ts";
import { openWebRisk } from "../safety/web-risk.ts";
import type { AskOwner } from "../scan/limited-elsewhere.ts";
import type { AccountPlaces } from "../scan/limited-where-owned.ts";
import { openScans, type Scans, type ScansElsewhere } from "../scan/scans.ts";
import type { Store } from "../store/store.ts";
import { openCountries } from "../visitor/country.ts";
import { keptAdminToken } from "./admin-token.ts";
import type { KnownMembers } from "./cluster/known-members.ts";

export interface Surroundings {
  log: Log;
  clock?: Clock;
  random?: Random;
}

/** The cluster, as this process sees it. */
export interface ClusterSeen extends Pick<KnownMembers, "members" | "completeUntil"> {
  figures: readonly Family[];
}

/** Other members, where there may be some. */
export interface Others {
  seen: ClusterSeen;
  /** Where requests come in that they took. */
  inner: InnerApp;
  /** Hands a request to who decides. */
  call: Forward;
  limited: AskOwner;
  untilRight: ScansElsewhere["untilRight"];
  /** Of the partitions that are decided here. */
  gates: Gates;
  usage(account: string): Promise<Usage>;
  /** Asked of the keeper, by who is not. */
  takeOfSession: Deciding["takeOfSession"];
  /** Of all accounts. */
  rescan(): Promise<RescanResult>;
  movesOf(of: readonly string[], here: Scans["clearing"]["movesOf"]): Promise<number>;
  /** These links have to be read again by all. */
  readAgain(slugs: readonly string[]): Promise<void>;
  /** Why this process, while it does not keep the accounts, cannot serve; null when it can. */
  problem(): string | null;
}

/** What decides for accounts, as the front sees it. */
export interface Deciding {
  parts: DashboardParts & AccessParts & { keeps: boolean };
  figures: {
    liveActors: number;
    commandsWaiting: number;
    renders: number;
    searching: number;
    searches: number;
  };
  /** Takes one request out of the windows of a session, wherever these are. */
  takeOfSession(id: string): Promise<{ refused: string | null; retryAfter: number }>;
  /** The block list has changed. */
  rescan(): void;
}

export interface Front {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly others: Others | null;
  readonly scans: Scans;
  readonly metrics: Metrics;
  readonly renderer: Renderer;
  readonly remoteCheck: RemotePolicy | null;
  readonly adminGuard: AdminGuard;
  readonly sessions: Sessions;
  readonly sessionGuard: SessionGuard;
  readonly tokens: PageTokens;
  readonly adminToken: string;
  readonly engine: Engine;
  /** Known when it listens, unless it is configured. */
  publicUrl(): string;
  policy(): UrlPolicy;
  problems(): Promise<string[]>;
  /** From now on this process decides; with null, no more. */
  decide(deciding: Deciding | null): void;
  /** Resolves with the port. */
  listen(): Promise<number>;
  /** Takes nothing any more. Resolves when all that was taken is answered. */
  stopListening(): Promise<void>;
  /** Saves what was counted. The store stays open. */
  close(): Promise<void>;
}

/** The store is one for life, whoever owns. */
export function openFront(
  config: Config,
  engine: Engine,
  bareStore: Store,
  surroundings: Surroundings,
  others: Others | null,
): Promise<Front> {
  return openWhole((opened) => openOn(opened, config, engine, bareStore, surroundings, others));
}

async function openOn(
  opened: Opened,
  config: Config,
  engine: Engine,
  bareStore: Store,
  { log, clock = systemClock, random = systemRandom }: Surroundings,
  others: Others | null,
): Promise<Front> {
  let publicUrl = config.publicUrl ?? "";
  let own: ReadonlySet<string> = new Set();
  let deciding: Deciding | null = null;
  let server: Server | null = null;
  let links: ScanRoutes | null = null;

  const metrics = openMetrics({
    version: manifest.version,
    engine: engine.name,
    connections: () => server?.connections.open ?? 0,
    mayServe: () => scans.mayServe?.() ?? true,
    scans: { verdicts, figures: () => links?.counters ?? null, links: () => scans.table.size },
    journal: {
      bytes: () => scans.journal.bytes,
      lagMs: () => (scans.journal.bytes === 0 ? 0 : clock.now() - scans.savedAt()),
      isHealthy: () => scans.health() === null,
    },
    actors: {
      live: () => deciding?.figures.liveActors ?? 0,
      waiting: () => deciding?.figures.commandsWaiting ?? 0,
    },
    renders: { depth: () => deciding?.figures.renders ?? 0 },
    searches: {
      running: () => deciding?.figures.searching ?? 0,
      waiting: () => deciding?.figures.searches ?? 0,
    },
    ...(others && { cluster: others.seen.figures }),
  });
  opened.add(() => metrics.close());
  const store = metrics.watchStore(bareStore);
  const blockList = openBlockList(config.blockListFile, log);
  opened.add(() => blockList.close());
  const renderer = openRenderer({ threads: config.renderThreads });
  opened.add(() => renderer.close());
  const remoteCheck = config.safetyCheck && {
    check: openWebRisk({ url: config.safetyCheck.url, key: config.safetyCheck.key, clock, log }),
    fail: config.safetyCheck.fail,
  };
  opened.add(() => remoteCheck?.check.close());
  const scans = await openScans({
    ...{ store, clock, log, dataDir: config.dataDir, sync: config.scanSync },
    // Another process that takes over does not see this one's journal, only what is in the store.
    limits: config.mongodbUrl === null ? {} : { checkpointMs: sharedCheckpointMs },
    othersCount: others !== null,
    together: engine.answersBestTogether,
    ...(others && {
      elsewhere: {
        places: placesOf(others.gates),
        ask: others.limited,
        untilRight: others.untilRight,
        keeps: () => deciding?.parts.keeps === true,
        readAgain: others.readAgain,
      },
    }),
  });
  opened.add(() => scans.close());
  const adminToken = config.adminToken ?? keptAdminToken(config.dataDir);
  const adminGuard = openAdminGuard({ token: adminToken, metricsToken: config.metricsToken, clock, log });
  const secret = await store.secret("operator sessions");
  const tokens = pageTokens(await store.secret("page tokens"));
  const sessions = openSessions({ store, clock, random, adminToken, secret });
  const sessionGuard = openSessionGuard({
    sessions,
    publicUrl: () => publicUrl,
    async take({ id }) {
      if (deciding === null) throw noOwner();
      requireRoom(await deciding.takeOfSession(id));
    },
  });
  const keys = new KeyOwners(store);
  const accessLog = openAccessLog({ kind: config.accessLog, sample: config.accessLogSample, log });

  async function problems(): Promise<string[]> {
    const found: string[] = [];
    if (others !== null && deciding?.parts.keeps !== true) {
      const problem = others.problem();
      if (problem !== null) found.push(problem);
    } else {
      if (scans.mayServe?.() === false) found.push("right to serve: MongoDB has not confirmed it lately");
      await store.ping().catch((cause: Error) => found.push(`store: ${cause.message}`));
    }
    const journal = scans.health();
    if (journal !== null) found.push(`scan journal: ${journal}`);
    return found;
  }

  const told = { metrics, clock, engine: engine.name, problems };
  const partitionIn = (account: string | null) => (account === null ? null : partitionOf(account));
  const elsewhere: Elsewhere | null = others && {
    forward: others.call,
    partitionOf(by, exchange) {
      const account = accountIn(exchange, by, { keys, sessionGuard });
      return goOn(account, partitionIn);
    },
    enter: (partition) => others.gates.enter(partition),
    leave: (partition) => others.gates.leave(partition),
    own: {
      "/healthz": (exchange) => getHealth({ exchange }),
      "/readyz": (exchange) => getReadiness({ exchange }, told),
      "/metrics": (exchange) =>
        challenged("metrics", exchange, () => {
          if (config.metrics !== "open") {
            adminGuard.checkMetrics(exchange.header("authorization"), exchange.client);
          }
          return getMetrics({ exchange }, told);
        }),
    },
  };

  function stopListening(): Promise<void> {
    const listening = server;
    server = null;
    return listening?.close(drainMsMax / 2) ?? Promise.resolve();
  }

  return {
    ...{ config, log, clock, random, store, others, scans, metrics, renderer, remoteCheck },
    ...{ adminGuard, adminToken, sessions, sessionGuard, tokens, engine, problems, stopListening },
    publicUrl: () => publicUrl,
    policy: () => ({ ownHosts: own, blockList: blockList.current }),
    decide(next) {
      deciding = next;
    },
    async listen() {
      server = await listen<DashboardParts>({
        ...{ engine, host: config.host, port: config.port, linkMethods, accessLog, elsewhere },
        routes: [...routes, ...dashboardRoutes],
        parts: { trustedProxies: config.trustedProxies, metrics, metricsAccess: config.metrics, clock, log },
        here: () => deciding?.parts ?? null,
        ...(others && { inner: others.inner }),
        registerLinks(app, atOnce) {
          links = registerScans(app, {
            scans,
            atOnce,
            observer: { scansAnswered: metrics.scansAnswered, ...accessLog?.links },
            countries: openCountries(config.geoipDb ?? undefined),
            countryHeader: config.countryHeader,
            onlyPeer: onlyPeerOf(config.host),
            trustedProxies: config.trustedProxies,
          });
          return links;
        },
      });
      publicUrl ||= `http://localhost:${server.port}`;
      own = ownHosts([publicUrl]);
      blockList.watch(() => deciding?.rescan());
      return server.port;
    },
    close: () => stopListening().finally(() => opened.close()),
  };
}

function placesOf(gates: Gates): AccountPlaces {
  return {
    partitionOf,
    enter: (partition) => gates.enter(partition),
    leave: (partition) => gates.leave(partition),
    taken: (partition) => gates.taken(partition),
  };
}
