/**
 * The core: everything that decides, counts, stores and draws, put together on a world that it is handed.
 *
 * The service opens it on the real store, disk and clock and puts listeners around it; the simulation opens it on
 * simulated ones. Both go through here, so what the simulation proves is the wiring that runs. The makers are the
 * one seam: the simulation exchanges one of them for a faulty part, to show that it would notice.
 */
import type { ActorContext, Changes } from "../account/account-actor.ts";
import { Directory } from "../account/directory.ts";
import { type CommitObserver, GroupCommit } from "../account/group-commit.ts";
import type { Plans } from "../domain/account/plans.ts";
import { failRender, finishRender } from "../domain/code/code-commands.ts";
import { deferUnsafe, type FieldRules } from "../domain/code/code-fields.ts";
import type { CodeDoc } from "../domain/documents.ts";
import { checkUrl, type UrlPolicy } from "../domain/target/url-safety.ts";
import { SlugReservations } from "../link/slug-reservations.ts";
import type { Renderer } from "../render/pool.ts";
import type { RenderRequest } from "../render/render-job.ts";
import { openRenderQueue, type RenderQueue, type RenderQueueOptions } from "../render/render-queue.ts";
import type { Clock } from "../runtime/clock.ts";
import { Opened } from "../runtime/opened.ts";
import type { Random } from "../runtime/random.ts";
import type { RemotePolicy } from "../safety/remote-check.ts";
import { type RescanResult, rescan } from "../safety/rescan.ts";
import type { JournalDisk } from "../scan/journal/disk.ts";
import { openScans, type ScanLimits, type ScanLog, type Scans, type ScansOptions } from "../scan/scans.ts";
import type { Store } from "../store/store.ts";
import { announceTo, type Listeners } from "./announcements.ts";

/** What the core does not make itself. All of it stays open when the core is closed. */
export interface World {
  store: Store;
  disk: JournalDisk;
  clock: Clock;
  /** Of slugs. */
  random: Random;
  renderer: Renderer;
  log: ScanLog;
  /** Null when it is to open them itself. */
  scans: Scans | null;
}

export interface CoreSettings {
  dataDir: string;
  /** Milliseconds between syncs of the scan journal, or before every answer. */
  scanSync: number | "always";
  scanLimits: Partial<ScanLimits>;
  renderQueueMax?: number;
  plans: Plans;
  /** Known when the service listens. */
  publicUrl(): string;
  /** What a target must not be, now. */
  policy(): UrlPolicy;
  /** Null when no remote service is asked about URLs. */
  remoteCheck: RemotePolicy | null;
  /** Where other members decide for some of the accounts. */
  elsewhere?: ActorContext["elsewhere"];
}

export interface CoreObserver {
  commits: CommitObserver;
  rendered(outcome: "done" | "failed" | "retried"): void;
}

export interface Core {
  readonly directory: Directory;
  readonly scans: Scans;
  readonly renders: RenderQueue;
  readonly slugs: SlugReservations;
  readonly fields: FieldRules;
  readonly safety: { rescan(): Promise<RescanResult> };
  /** Stores everything that was answered. Nothing may be asked of it any more. */
  close(): Promise<void>;
}

/** How each part is made that can be made otherwise. */
export interface Makers {
  commits(store: Store, observer: CommitObserver): GroupCommit;
  directory(context: ActorContext): Directory;
  scans(options: ScansOptions): Promise<Scans>;
  renders(options: RenderQueueOptions): RenderQueue;
  slugs(store: Store, random: Random): SlugReservations;
  changes(listeners: Listeners): Changes;
}

const ordinaryMakers: Makers = {
  commits: (store, observer) => new GroupCommit(store, observer),
  directory: (context) => new Directory(context),
  scans: openScans,
  renders: openRenderQueue,
  slugs: (store, random) => new SlugReservations(store, random),
  changes: announceTo,
};

export async function openCore(
  world: World,
  settings: CoreSettings,
  observer: CoreObserver,
  exchanged: Partial<Makers> = {},
): Promise<Core> {
  const { store, disk, clock, random, renderer, log } = world;
  const { dataDir, scanSync, scanLimits, renderQueueMax, plans, publicUrl, policy, remoteCheck } = settings;
  const make = { ...ordinaryMakers, ...exchanged };
  const opened = new Opened();
  const linkTo = (slug: string) => `${publicUrl()}/${slug}`;
  const toRequest = (code: CodeDoc): RenderRequest => ({
    account_id: code.account_id,
    code_id: code.id,
    version: code.render.version,
    attempt: code.render.attempt,
    job: { content: code.text ?? linkTo(code.slug), metadata: code.metadata },
  });

  const scans =
    world.scans ??
    (await make.scans({ store, clock, log, dataDir, disk, sync: scanSync, limits: scanLimits }));
  if (world.scans === null) opened.add(() => scans.close());
  const { elsewhere } = settings;
  const owning = elsewhere && { owns: elsewhere.owns };
  const renders = make.renders({
    ...owning,
    store,
    renderer,
    clock,
    toRequest,
    ...(renderQueueMax !== undefined && { queueMax: renderQueueMax }),
    report: (cause) => log.error({ err: cause }, "render queue"),
    outcomes: {
      async rendered({ account_id, code_id, version }, result) {
        await directory.run(account_id, finishRender(code_id, { version, ...result }));
        observer.rendered("done");
      },
      async failed({ account_id, code_id, version }, error, final) {
        log.warn({ code_id, error, final }, "render failed");
        await directory.run(account_id, failRender(code_id, version, error, final));
        observer.rendered(final ? "failed" : "retried");
      },
    },
  });
  const directory = make.directory({
    store,
    clock,
    plans,
    commits: make.commits(store, observer.commits),
    changes: make.changes({ links: scans.links, renders, toRequest, store, clock }),
    ...(elsewhere && { elsewhere }),
  });
  opened.add(() => directory.close());
  opened.add(() => renders.close());
  const fields: FieldRules = {
    checkUrl: deferUnsafe((path, value) => checkUrl(path, value, policy())),
    linkTo,
  };

  return {
    directory,
    scans,
    renders,
    slugs: make.slugs(store, random),
    fields,
    safety: { rescan: () => rescan({ store, directory, policy, fields, remoteCheck, ...owning }) },
    close: () => opened.close(),
  };
}
