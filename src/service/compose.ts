/**
 * The composition root: the only place where concrete parts meet. Opens them in the order in which they need
 * each other, and closes them in the reverse order, so that whatever was answered is stored.
 */

import manifest from "../../package.json" with { type: "json" };
import { Directory } from "../account/directory.ts";
import { GroupCommit } from "../account/group-commit.ts";
import type { Services } from "../api/call.ts";
import { pageTokens } from "../api/list-pages.ts";
import { SearchTurns } from "../api/search-turns.ts";
import type { Config } from "../config.ts";
import { failRender, finishRender } from "../domain/code/code-commands.ts";
import { deferUnsafe, type FieldRules } from "../domain/code/code-fields.ts";
import type { CodeDoc } from "../domain/documents.ts";
import { checkUrl, ownHosts, type UrlPolicy } from "../domain/target/url-safety.ts";
import { openAccessLog } from "../door/access-log.ts";
import { openAdminGuard } from "../door/admin-guard.ts";
import { listen, type Server } from "../door/server.ts";
import type { Engine } from "../engine/engine.ts";
import { answersSweepMs, drainMsMax, sharedCheckpointMs } from "../limits.ts";
import { outcomes } from "../link/decision.ts";
import { SlugReservations } from "../link/slug-reservations.ts";
import { openMetrics } from "../metrics/metrics.ts";
import { registerScans } from "../redirect/link-handler.ts";
import { onlyPeerOf } from "../redirect/visit.ts";
import { openRenderer } from "../render/pool.ts";
import { openRenderQueue, type RenderQueue } from "../render/render-queue.ts";
import type { RenderRequest } from "../render/render-request.ts";
import { repeat } from "../runtime/chores.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { type Random, systemRandom } from "../runtime/random.ts";
import { openBlockList } from "../safety/block-list-file.ts";
import { rescan } from "../safety/rescan.ts";
import { openWebRisk } from "../safety/web-risk.ts";
import { openScans } from "../scan/scans.ts";
import type { Store } from "../store/store.ts";
import { openCountries } from "../visitor/country.ts";
import { keptAdminToken } from "./admin-token.ts";
import { announceTo } from "./announcements.ts";
import { bootstrap } from "./first-start.ts";
import { searchUnconfigured } from "./unconfigured-plans.ts";

/** The parts that serve, put together on an open store. */
export interface Composition {
  port: number;
  publicUrl: string;
  adminToken: string;
  /** The key of the demo account, on the first start only. */
  firstKey: string | null;
  /** Lets requests in flight end and stores everything. The store stays open. */
  stop(): Promise<void>;
}

export interface Surroundings {
  log: Log;
  clock?: Clock;
  random?: Random;
}

export async function compose(
  config: Config,
  engine: Engine,
  bareStore: Store,
  surroundings: Surroundings,
): Promise<Composition> {
  const opened = new Opened();
  try {
    return await composeOn(opened, config, engine, bareStore, surroundings);
  } catch (cause) {
    await opened.close().catch(() => {});
    throw cause;
  }
}

async function composeOn(
  opened: Opened,
  config: Config,
  engine: Engine,
  bareStore: Store,
  surroundings: Surroundings,
): Promise<Composition> {
  const { log, clock = systemClock, random = systemRandom } = surroundings;
  let publicUrl = config.publicUrl ?? "";
  let own: ReadonlySet<string> = new Set();
  const linkTo = (slug: string) => `${publicUrl}/${slug}`;

  const searches = new SearchTurns();
  let server: Server | null = null;
  const metrics = openMetrics({
    version: manifest.version,
    engine: engine.name,
    connections: () => server?.connections.open ?? 0,
    scans: { outcomes, figures: () => server?.scans ?? null, links: () => scans.table.size },
    journal: {
      bytes: () => scans.journal.bytes,
      lagMs: () => (scans.journal.bytes === 0 ? 0 : clock.now() - scans.countsSavedAt),
      isHealthy: () => scans.health() === null,
    },
    actors: { live: () => directory.liveActors, waiting: () => directory.commandsWaiting },
    renders: { depth: () => renders.depth() },
    searches: { running: () => searches.running, waiting: () => searches.waiting },
  });
  opened.add(() => metrics.close());
  const store = metrics.watchStore(bareStore);
  const blockList = openBlockList(config.blockListFile, log);
  opened.add(() => blockList.close());
  const scans = await openScans({
    store,
    clock,
    log,
    dataDir: config.dataDir,
    sync: config.scanSync,
    // Another process that takes over does not see this one's journal, only what is in the store.
    ...(config.mongodbUrl !== null && { limits: { checkpointMs: sharedCheckpointMs } }),
  });
  opened.add(() => scans.close());
  const renderer = openRenderer({ threads: config.renderThreads });
  const toRequest = (code: CodeDoc): RenderRequest => ({
    account_id: code.account_id,
    code_id: code.id,
    version: code.render.version,
    attempt: code.render.attempt,
    job: { content: code.text ?? linkTo(code.slug), metadata: code.metadata },
  });
  const renders: RenderQueue = openRenderQueue({
    store,
    renderer,
    clock,
    toRequest,
    report: (cause) => log.error({ err: cause }, "render queue"),
    outcomes: {
      async rendered({ account_id, code_id, version }, result) {
        await directory.run(account_id, finishRender(code_id, { version, ...result }));
        metrics.rendered("done");
      },
      async failed({ account_id, code_id, version }, error, final) {
        log.warn({ code_id, error, final }, "render failed");
        await directory.run(account_id, failRender(code_id, version, error, final));
        metrics.rendered(final ? "failed" : "retried");
      },
    },
  });
  const changes = announceTo({ links: scans.links, renders, toRequest, store, clock });
  const commits = new GroupCommit(store, {
    committed: metrics.commits.committed,
    failed(cause) {
      metrics.commits.failed(cause);
      log.error({ err: cause }, "a commit failed");
    },
  });
  const directory = new Directory({ store, commits, clock, plans: config.plans, changes });
  opened.add(() => directory.close());
  opened.add(() => renderer.close());
  opened.add(() => renders.close());

  const policy = (): UrlPolicy => ({ ownHosts: own, blockList: blockList.current });
  const fields: FieldRules = {
    checkUrl: deferUnsafe((path, value) => checkUrl(path, value, policy())),
    linkTo,
  };
  const adminToken = config.adminToken ?? keptAdminToken(config.dataDir);
  const remoteCheck = config.safetyCheck && {
    check: openWebRisk({ url: config.safetyCheck.url, key: config.safetyCheck.key, clock, log }),
    fail: config.safetyCheck.fail,
  };
  opened.add(() => remoteCheck?.check.close());
  const safety = { rescan: () => rescan({ store, directory, policy, fields, remoteCheck }) };
  const services: Services = {
    store,
    directory,
    links: scans.links,
    renders,
    slugs: new SlugReservations(store, random),
    fields,
    safety,
    plans: config.plans,
    tokens: pageTokens(await store.secret("page tokens")),
    searches,
    get publicUrl() {
      return publicUrl;
    },
    adminGuard: openAdminGuard({ token: adminToken, metricsToken: config.metricsToken, clock, log }),
    metricsAccess: config.metrics,
    remoteCheck,
    trustedProxies: config.trustedProxies,
    metrics,
    clock,
    random,
    log,
    engine: engine.name,
    async problems() {
      const found: string[] = [];
      await store.ping().catch((cause: Error) => found.push(`store: ${cause.message}`));
      const journal = scans.health();
      if (journal !== null) found.push(`scan journal: ${journal}`);
      return found;
    },
  };

  const accessLog = openAccessLog({ kind: config.accessLog, sample: config.accessLogSample, log });
  const listening = await listen({
    engine,
    host: config.host,
    port: config.port,
    services,
    accessLog,
    registerScans: (app, atOnce) =>
      registerScans(accessLog?.watchScans(app) ?? app, {
        scans,
        atOnce,
        observer: metrics,
        countries: openCountries(config.geoipDb ?? undefined),
        countryHeader: config.countryHeader,
        onlyPeer: onlyPeerOf(config.host),
        trustedProxies: config.trustedProxies,
      }),
  });
  opened.add(() => listening.close(drainMsMax / 2));
  publicUrl ||= `http://localhost:${listening.port}`;
  server = listening;
  own = ownHosts([publicUrl]);
  void renders.start();
  blockList.watch(
    () => void safety.rescan().catch((cause) => log.error({ err: cause }, "safety re-scan failed")),
  );
  const stopSweeping = repeat(clock, answersSweepMs, () =>
    store.removeExpiredAnswers(clock.now()).then(
      () => {},
      (cause) => log.error({ err: cause }, "sweep of answers failed"),
    ),
  );

  opened.add(stopSweeping);
  opened.add(searchUnconfigured({ store, plans: config.plans, clock, log }));
  // Last: its key is shown once, and only by a start that succeeds.
  const firstKey = config.bootstrap ? await bootstrap(store, directory, config.plans, clock, random) : null;

  return { port: listening.port, publicUrl, firstKey, adminToken, stop: () => opened.close() };
}

/** What was opened, to be closed in the reverse order. One that fails does not keep the others open. */
class Opened {
  readonly #closes: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closes.push(close);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close();
      } catch (cause) {
        failures.push(cause);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
