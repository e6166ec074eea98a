/**
 * The real parts, put together as the composition root does it, on a simulated world. What the composition root
 * takes from the outside (clock, randomness, disk, store, renderer, HTTP library) is simulated; everything else
 * is the code that runs in production.
 *
 * A mutation replaces or wraps one part by a faulty one: that is how the simulation shows that it can find faults
 * (see `mutants.ts`). The code under `src/` knows nothing of it.
 */
import type { ActorContext, Changes } from "../../src/account/account-actor.ts";
import { Directory } from "../../src/account/directory.ts";
import { type CommitObserver, GroupCommit } from "../../src/account/group-commit.ts";
import type { Services } from "../../src/api/call.ts";
import { pageTokens } from "../../src/api/list-pages.ts";
import { SearchTurns } from "../../src/api/search-turns.ts";
import { builtInPlans } from "../../src/domain/account/plans.ts";
import { failRender, finishRender } from "../../src/domain/code/code-commands.ts";
import { deferUnsafe, type FieldRules } from "../../src/domain/code/code-fields.ts";
import type { CodeDoc } from "../../src/domain/documents.ts";
import { emptyBlockList } from "../../src/domain/target/block-list.ts";
import { checkUrl, ownHosts } from "../../src/domain/target/url-safety.ts";
import { SlugReservations } from "../../src/link/slug-reservations.ts";
import { registerScans, type ScanRoutes } from "../../src/redirect/link-handler.ts";
import type { Renderer } from "../../src/render/pool.ts";
import { openRenderQueue, type RenderQueue } from "../../src/render/render-queue.ts";
import type { RenderRequest } from "../../src/render/render-request.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/log.ts";
import type { Random } from "../../src/runtime/random.ts";
import { rescan } from "../../src/safety/rescan.ts";
import type { JournalDisk } from "../../src/scan/journal-disk.ts";
import { openScans, type ScanLimits, type Scans } from "../../src/scan/scans.ts";
import { announceTo } from "../../src/service/announcements.ts";
import type { Store } from "../../src/store/store.ts";
import { noTrustedProxies } from "../../src/visitor/client-address.ts";
import { type ScanApp, scanApp } from "./scan-socket.ts";

export interface Mutation {
  store?(store: Store): Store;
  commits?(store: Store, observer: CommitObserver): GroupCommit;
  directory?(context: ActorContext): Directory;
  changes?(changes: Changes): Changes;
  scans?(scans: Scans): void;
  slugs?(store: Store, random: Random): SlugReservations;
  renders?(queue: RenderQueue): RenderQueue;
  /** False: the database takes the writes of a process that was declared dead. */
  isFenced?: boolean;
}

export interface Surroundings {
  store: Store;
  disk: JournalDisk;
  clock: Clock;
  random: Random;
  /** Of slugs alone. */
  slugRandom: Random;
  renderer: Renderer;
  settings: Settings;
}

/** Bounds that are so small that a short run meets them. */
export interface Settings {
  /** How many machines, each with a disk of its own, share the store; 0 is the embedded store. */
  machines: 0 | 1 | 2;
  sync: number | "always";
  renderQueueMax: number;
  scanLimits: Partial<ScanLimits>;
}

export interface Parts {
  services: Services;
  scans: Scans;
  renders: RenderQueue;
  scanRoutes: ScanRoutes;
  scanApp: ScanApp;
}

export const publicUrl = "https://qr.example.com";
const silent = { info() {}, warn() {}, error() {} };

export async function openParts(surroundings: Surroundings, mutation: Mutation): Promise<Parts> {
  const { clock, random, renderer, settings } = surroundings;
  const store = mutation.store?.(surroundings.store) ?? surroundings.store;
  const linkTo = (slug: string) => `${publicUrl}/${slug}`;
  const scans = await openScans({
    store,
    clock,
    dataDir: "/data",
    sync: settings.sync,
    log: silent,
    disk: surroundings.disk,
    limits: settings.scanLimits,
  });
  mutation.scans?.(scans);

  const toRequest = (code: CodeDoc): RenderRequest => ({
    account_id: code.account_id,
    code_id: code.id,
    version: code.render.version,
    attempt: code.render.attempt,
    job: { content: code.text ?? linkTo(code.slug), metadata: code.metadata },
  });
  const queue = openRenderQueue({
    store,
    renderer,
    clock,
    toRequest,
    queueMax: settings.renderQueueMax,
    report() {},
    outcomes: {
      async rendered({ account_id, code_id, version }, result) {
        await directory.run(account_id, finishRender(code_id, { version, ...result }));
      },
      async failed({ account_id, code_id, version }, error, final) {
        await directory.run(account_id, failRender(code_id, version, error, final));
      },
    },
  });
  const renders = mutation.renders?.(queue) ?? queue;
  const changes = announceTo({ links: scans.links, renders, toRequest, store, clock });
  const observer = { committed() {}, failed() {} };
  const context: ActorContext = {
    store,
    clock,
    plans: builtInPlans,
    commits: mutation.commits?.(store, observer) ?? new GroupCommit(store, observer),
    changes: mutation.changes?.(changes) ?? changes,
  };
  const directory = mutation.directory?.(context) ?? new Directory(context);

  const policy = { ownHosts: ownHosts([publicUrl]), blockList: emptyBlockList };
  const fields: FieldRules = {
    checkUrl: deferUnsafe((path, value) => checkUrl(path, value, policy)),
    linkTo,
  };
  const services: Services = {
    engine: "node",
    store,
    directory,
    links: scans.links,
    renders,
    slugs:
      mutation.slugs?.(store, surroundings.slugRandom) ??
      new SlugReservations(store, surroundings.slugRandom),
    fields,
    safety: { rescan: () => rescan({ store, directory, policy: () => policy, fields, remoteCheck: null }) },
    plans: builtInPlans,
    tokens: pageTokens(new Uint8Array(32)),
    searches: new SearchTurns(),
    publicUrl,
    adminGuard: { check() {}, checkMetrics() {} },
    metricsAccess: "off",
    remoteCheck: null,
    trustedProxies: noTrustedProxies,
    metrics: null as never,
    clock,
    random,
    log: silent as unknown as Log,
    problems: () => Promise.resolve([]),
  };
  const app = scanApp();
  const scanRoutes = registerScans(app.app, {
    scans,
    countries: { lookup: () => null },
    trustedProxies: noTrustedProxies,
    countryHeader: null,
  });
  void renders.start();
  return { services, scans, renders, scanRoutes, scanApp: app };
}
