/**
 * All metrics of the service.
 *
 * What the parts count anyway is read when somebody asks; only what would be lost otherwise is told as it
 * happens, and never for a single scan: a loop turn with a thousand scans costs one call.
 */
import type { CommitObserver } from "../account/group-commit.ts";
import { Cancelled, type Store, UniqueViolation } from "../store/store.ts";
import { counter, expose, type Family, gauge, labelled } from "./exposition.ts";
import { countBounds, Histogram, histogram, secondsBounds } from "./histogram.ts";
import { openProcessMetrics } from "./process-metrics.ts";
import { type RouteMeter, requestMetrics } from "./request-metrics.ts";

/** What `redirect/link-handler.ts` counts. */
export interface ScanFigures {
  /** In the order of `verdicts`. */
  readonly answered: ArrayLike<number>;
  readonly uncounted: number;
  readonly aborted: number;
  readonly cold: number;
}

/** Functions, since most parts are opened after the metrics; they are called only when somebody reads. */
export interface MetricSources {
  version: string;
  engine: string;
  connections(): number;
  /** Whether this process may answer from memory, or another one may own the accounts by now. */
  mayServe(): boolean;
  scans: {
    verdicts: readonly string[];
    /** Null until links are served. */
    figures(): ScanFigures | null;
    links(): number;
  };
  journal: {
    bytes(): number;
    /** How old the oldest scan can be that only the journal has. */
    lagMs(): number;
    isHealthy(): boolean;
  };
  actors: {
    live(): number;
    /** Commands that were accepted and are not answered yet, over all accounts. */
    waiting(): number;
  };
  renders: { depth(): number };
  searches: { running(): number; waiting(): number };
  /** Of a member of a cluster. */
  cluster?: readonly Family[];
}

export type RenderOutcome = "done" | "retried" | "failed";

export interface Metrics {
  /** A meter for one route of the table; call it with every answer. */
  route(method: string, path: string): RouteMeter;
  scansAnswered(scans: number, ms: number): void;
  readonly commits: CommitObserver;
  rendered(outcome: RenderOutcome): void;
  watchStore(store: Store): Store;
  expose(): string;
  close(): void;
}

export function openMetrics(sources: MetricSources): Metrics {
  const requests = requestMetrics();
  const scanSeconds = new Histogram(secondsBounds);
  const commitSeconds = new Histogram(secondsBounds);
  const commitWrites = new Histogram(countBounds);
  const renders: Record<RenderOutcome, number> = { done: 0, retried: 0, failed: 0 };
  const storeErrors = new Map<string, number>();
  const own = openProcessMetrics();
  let commitsFailed = 0;

  const families: Family[] = [
    ...familiesOf(sources),
    ...(sources.cluster ?? []),
    ...requests.families,
    histogram(
      "qrelay_scan_seconds",
      "From the first scan of a loop turn until the turn's answers left; counts each scan of the turn.",
      scanSeconds,
    ),
    histogram("qrelay_commit_seconds", "How long a group commit took to become durable.", commitSeconds),
    histogram("qrelay_commit_writes", "Documents in a group commit.", commitWrites),
    counter(
      "qrelay_commits_failed_total",
      "Group commits that failed; their requests got 503.",
      () => commitsFailed,
    ),
    labelled("counter", "qrelay_renders_total", "Images by how drawing them ended.", "outcome", () =>
      Object.entries(renders),
    ),
    labelled(
      "counter",
      "qrelay_store_errors_total",
      "Operations that the store could not do.",
      "operation",
      () => storeErrors,
    ),
    ...own.families,
  ];

  return {
    route: requests.meter,
    scansAnswered(scans, ms) {
      scanSeconds.observe(ms / 1000, scans);
    },
    commits: {
      committed(writes, ms) {
        commitSeconds.observe(ms / 1000);
        commitWrites.observe(writes);
      },
      failed() {
        commitsFailed++;
      },
    },
    rendered(outcome) {
      renders[outcome]++;
    },
    watchStore: (store) =>
      watchStore(store, (operation) => {
        storeErrors.set(operation, (storeErrors.get(operation) ?? 0) + 1);
      }),
    expose: () => expose(families),
    close: () => own.close(),
  };
}

function familiesOf(sources: MetricSources): Family[] {
  const { version, engine, connections, mayServe, scans, journal, actors, renders, searches } = sources;
  const figure = (name: "uncounted" | "aborted" | "cold") => () => scans.figures()?.[name] ?? 0;
  return [
    {
      name: "qrelay_info",
      help: "Always 1; the labels say what runs.",
      type: "gauge",
      samples: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
    },
    labelled("gauge", "qrelay_http_engine", "Always 1; the label says what speaks HTTP.", "engine", () => [
      [engine, 1],
    ]),
    gauge("qrelay_connections", "Open connections.", connections),
    gauge(
      "qrelay_right_to_serve",
      "1 while this process may answer from memory, 0 while another one may own the accounts.",
      () => Number(mayServe()),
    ),
    labelled("counter", "qrelay_scans_total", "Answers to GET and HEAD of public links.", "outcome", () =>
      scansByVerdict(scans.verdicts, scans.figures()),
    ),
    counter("qrelay_scans_aborted_total", "Visitors gone before the answer.", figure("aborted")),
    counter("qrelay_scans_cold_total", "Scans that had to wait for the store.", figure("cold")),
    gauge("qrelay_links", "Links in memory.", scans.links),
    gauge("qrelay_journal_bytes", "Scan journal that a restart would have to replay.", journal.bytes),
    gauge(
      "qrelay_journal_lag_seconds",
      "Age of the oldest count that may be in the journal only.",
      () => journal.lagMs() / 1000,
    ),
    gauge("qrelay_journal_healthy", "1 while scans can be written and synced.", () =>
      journal.isHealthy() ? 1 : 0,
    ),
    gauge("qrelay_actors_live", "Accounts in memory.", actors.live),
    gauge("qrelay_mailbox_commands", "Commands accepted and not answered yet.", actors.waiting),
    gauge("qrelay_render_queue_depth", "Images waiting or being drawn, as far as in memory.", renders.depth),
    gauge("qrelay_searches_running", "Searches in labels that are worked on.", searches.running),
    gauge("qrelay_searches_waiting", "Searches in labels that wait for a turn.", searches.waiting),
  ];
}

/** Both kinds of redirect are one to an operator, and `undecided` is no answer. */
function scansByVerdict(verdicts: readonly string[], figures: ScanFigures | null): Map<string, number> {
  const counts = new Map<string, number>();
  verdicts.forEach((verdict, at) => {
    if (verdict === "undecided") return;
    const label = verdict === "special" ? "redirect" : snakeCase(verdict);
    counts.set(label, (counts.get(label) ?? 0) + (figures?.answered[at] ?? 0));
  });
  return counts.set("uncounted", figures?.uncounted ?? 0);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The same store; `failed` is told of every operation that it could not do. A refused write is not a failure, nor is
 * what nobody wanted any more.
 */
function watchStore(store: Store, failed: (operation: keyof Store) => void): Store {
  const notice = (operation: keyof Store, cause: unknown) => {
    if (!(cause instanceof UniqueViolation || cause instanceof Cancelled)) failed(operation);
  };
  const watched = <T>(operation: keyof Store, result: Promise<T>): Promise<T> => {
    result.catch((cause) => notice(operation, cause));
    return result;
  };
  const watchedAtOnce = <T>(operation: keyof Store, run: () => Promise<T> | T): Promise<T> | T => {
    try {
      const result = run();
      return result instanceof Promise ? watched(operation, result) : result;
    } catch (cause) {
      notice(operation, cause);
      throw cause;
    }
  };
  return {
    get: (collection, id) => watched("get", store.get(collection, id)),
    codeAtHand: (id) => store.codeAtHand(id),
    commit: (writes) => watched("commit", store.commit(writes)),
    keyByHash: (hash) => watched("keyByHash", store.keyByHash(hash)),
    keysOf: (accountId) => watched("keysOf", store.keysOf(accountId)),
    codeBySlug: (slug) => watchedAtOnce("codeBySlug", () => store.codeBySlug(slug)),
    isSlugFree: (slug) => watchedAtOnce("isSlugFree", () => store.isSlugFree(slug)),
    userByEmail: (email) => watched("userByEmail", store.userByEmail(email)),
    usersOf: (accountId) => watched("usersOf", store.usersOf(accountId)),
    listCodes: (query, signal) => watched("listCodes", store.listCodes(query, signal)),
    countedCodes: (query) => watched("countedCodes", store.countedCodes(query)),
    listProjects: (accountId, stretch) => watched("listProjects", store.listProjects(accountId, stretch)),
    listAccounts: (stretch) => watched("listAccounts", store.listAccounts(stretch)),
    walk: (collection, after, limit) => watched("walk", store.walk(collection, after, limit)),
    pendingRenders: (after, limit) => watched("pendingRenders", store.pendingRenders(after, limit)),
    scanCount: (slug) => watchedAtOnce("scanCount", () => store.scanCount(slug)),
    countedBy: (slug) => watched("countedBy", store.countedBy(slug)),
    saveScans: (scans, by) => watched("saveScans", store.saveScans(scans, by)),
    clearScans: (since, from) => watched("clearScans", store.clearScans(since, from)),
    scanHours: (of, stretch, limit) => watched("scanHours", store.scanHours(of, stretch, limit)),
    scanDays: (of, stretch, limit) => watched("scanDays", store.scanDays(of, stretch, limit)),
    scanTotals: (of, stretch, add) => watched("scanTotals", store.scanTotals(of, stretch, add)),
    scanSums: (of, stretch) => watched("scanSums", store.scanSums(of, stretch)),
    parts: store.parts,
    membership: store.membership,
    removeExpired: (collection, before) => watched("removeExpired", store.removeExpired(collection, before)),
    secret: (name) => watched("secret", store.secret(name)),
    ping: () => watched("ping", store.ping()),
    close: () => store.close(),
  };
}
