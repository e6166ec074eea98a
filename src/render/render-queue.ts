/**
 * What is to be drawn, and when.
 *
 * The store is the truth: a code whose render is `pending` or `staging` wants an image. The queue only holds
 * some of those codes in memory, so nothing is lost when it forgets one, and a restart begins by reading them.
 * A code has at most one entry, in one of three states:
 *
 *   waiting  → running            its turn has come (see `fair-lanes.ts`)
 *   running  → (gone)             the outcome is stored, or nobody wants it any more
 *   running  → resting            it failed and is tried again, or its outcome could not be stored
 *   running  → waiting            a newer version was asked for meanwhile
 *   resting  → waiting            the back-off is over, or a newer version was asked for
 *
 * A thread is never stopped because its result has become pointless: starting a new one costs more than
 * finishing a picture, so the result is dropped instead.
 */

import type { CodeDoc } from "../domain/documents.ts";
import { ApiError } from "../domain/errors.ts";
import {
  renderAttemptsMax,
  renderQueueMax,
  renderRereadMs,
  renderRetryMs,
  renderUnstoredMax,
  renderUnstoredMsMax,
  renderUnstoredMsMin,
} from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";
import { fairLanes } from "./fair-lanes.ts";
import type { Renderer } from "./pool.ts";
import { openBacklog } from "./render-backlog.ts";
import type { RenderOutcomes, RenderRequest, RenderResult } from "./render-job.ts";

export interface RenderQueue {
  request(request: RenderRequest): void;
  cancel(codeId: string): void;
  /** What the store has of the code is not known: it is read again. */
  lookAgain(accountId: string, codeId: string): void;
  isRendering(codeId: string): boolean;
  /** Requests in memory, those being drawn included. */
  depth(): number;
  /** Takes up what is pending in the store, again if need be. Resolves when all of it has been looked at. */
  start(): Promise<void>;
  /** Lets go of accounts that are not drawn for here any more. */
  letGo(): void;
  /** Begins nothing new and waits for what has begun. */
  close(): Promise<void>;
}

export interface RenderQueueOptions {
  renderer: Renderer;
  store: Pick<Store, "pendingRenders">;
  clock: Clock;
  outcomes: RenderOutcomes;
  toRequest(code: CodeDoc): RenderRequest;
  /** Told of errors that no outcome carries: a store that cannot be read or written. */
  report(error: unknown): void;
  queueMax?: number;
  /** Whether images of this account are drawn here; without it, of all. */
  owns?(accountId: string): boolean;
}

interface Entry {
  readonly account_id: string;
  seat: number;
  state: "waiting" | "running" | "resting";
  request: RenderRequest;
  /** Running for nothing: what to do next instead. */
  replacement: RenderRequest | "cancelled" | null;
  /** How long it rested when its outcome could not be stored. */
  unstoredMs: number;
  endRest: () => void;
}

function nothing(): void {}

export function openRenderQueue(options: RenderQueueOptions): RenderQueue {
  const { renderer, clock, outcomes, toRequest, report, queueMax = renderQueueMax } = options;
  const { owns = () => true } = options;
  const entries = new Map<string, Entry>();
  const lanes = fairLanes<Entry>();
  const running = new Set<Promise<void>>();
  let closed = false;

  const backlog = openBacklog({
    store: options.store,
    offer: (code) => request(toRequest(code)),
    count: lanes.count,
    share: () => queueMax / lanes.accounts(),
    hasRoom: () => entries.size < queueMax / 2,
    retry(error, again) {
      report(error);
      clock.after(renderRereadMs, again);
    },
  });

  function request(wanted: RenderRequest): void {
    if (closed || !owns(wanted.account_id)) return;
    const entry = entries.get(wanted.code_id);
    if (entry === undefined) {
      if (makeRoom(wanted.account_id)) enter(wanted);
      else backlog.sentAway(wanted.account_id, wanted.code_id);
    } else if (entry.state === "running") {
      const newest =
        entry.replacement === null || entry.replacement === "cancelled" ? entry.request : entry.replacement;
      if (wanted.version > newest.version || entry.replacement === "cancelled") entry.replacement = wanted;
    } else if (wanted.version > entry.request.version) {
      entry.request = wanted;
      if (entry.state === "resting") wait(entry);
    }
    dispatch();
  }

  function makeRoom(account: string): boolean {
    if (entries.size < queueMax) return true;
    const evicted = lanes.evictFor(account);
    if (evicted === null) return false;
    entries.delete(evicted.request.code_id);
    backlog.sentAway(evicted.account_id, evicted.request.code_id);
    return true;
  }

  function enter(wanted: RenderRequest): void {
    const entry: Entry = {
      account_id: wanted.account_id,
      seat: -1,
      state: "waiting",
      request: wanted,
      replacement: null,
      unstoredMs: 0,
      endRest: nothing,
    };
    entries.set(wanted.code_id, entry);
    lanes.add(entry);
  }

  function wait(entry: Entry): void {
    entry.endRest();
    entry.state = "waiting";
    lanes.add(entry);
  }

  function rest(entry: Entry, ms: number): void {
    entry.state = "resting";
    entry.endRest = clock.after(ms, () => {
      wait(entry);
      dispatch();
    });
  }

  function leave(entry: Entry): void {
    entries.delete(entry.request.code_id);
    backlog.roomFor(entry.account_id);
  }

  function dispatch(): void {
    while (!closed && renderer.hasRoom() && running.size < renderUnstoredMax) {
      const entry = lanes.take();
      if (entry === null) return;
      entry.state = "running";
      const run = draw(entry).finally(() => {
        running.delete(run);
        dispatch();
      });
      running.add(run);
    }
  }

  async function draw(entry: Entry): Promise<void> {
    const { request } = entry;
    let result: RenderResult | null = null;
    let problem = "";
    try {
      result = await renderer.render(request.job);
    } catch (error) {
      problem = (error as Error).message;
    }
    dispatch();
    if (entry.replacement === null) await store(entry, result, problem);
    if (entry.replacement !== null) replace(entry, entry.replacement);
  }

  async function store(entry: Entry, result: RenderResult | null, problem: string): Promise<void> {
    const { request } = entry;
    const isFinal = result !== null || request.attempt + 1 >= renderAttemptsMax;
    try {
      if (result !== null) await outcomes.rendered(request, result);
      else await outcomes.failed(request, problem, isFinal);
    } catch (error) {
      report(error);
      if (entry.replacement !== null) return;
      if (error instanceof ApiError && error.code !== "unavailable") {
        leave(entry);
        return;
      }
      entry.unstoredMs = Math.min(renderUnstoredMsMax, 2 * entry.unstoredMs || renderUnstoredMsMin);
      rest(entry, entry.unstoredMs);
      return;
    }
    if (isFinal) backlog.stored(request.code_id, request.version);
    if (entry.replacement !== null) return;
    if (isFinal) {
      leave(entry);
      return;
    }
    entry.request = { ...request, attempt: request.attempt + 1 };
    rest(entry, renderRetryMs[request.attempt] ?? renderUnstoredMsMin);
  }

  function replace(entry: Entry, replacement: RenderRequest | "cancelled"): void {
    entry.replacement = null;
    if (replacement === "cancelled") {
      leave(entry);
      return;
    }
    entry.request = replacement;
    entry.unstoredMs = 0;
    wait(entry);
  }

  function cancel(codeId: string): void {
    const entry = entries.get(codeId);
    if (entry === undefined) return;
    if (entry.state === "running") {
      entry.replacement = "cancelled";
      return;
    }
    if (entry.state === "waiting") lanes.remove(entry);
    else entry.endRest();
    leave(entry);
  }

  return {
    request,
    cancel,
    letGo() {
      for (const [codeId, { account_id }] of [...entries]) if (!owns(account_id)) cancel(codeId);
    },
    lookAgain(accountId, codeId) {
      backlog.sentAway(accountId, codeId);
      backlog.roomFor(accountId);
    },
    isRendering: (codeId) => entries.get(codeId)?.state === "running",
    depth: () => entries.size,
    start: () => backlog.sweepAll(),
    async close() {
      closed = true;
      await backlog.close();
      await Promise.all(running);
      for (const entry of entries.values()) entry.endRest();
    },
  };
}
