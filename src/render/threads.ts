/**
 * The render threads.
 *
 * Drawing is short and pure, so a thread that takes long or dies has gone wrong for good: it is thrown away,
 * its jobs fail with a sentence that says what happened, and a fresh thread takes its place. Whether a job is
 * tried again is the queue's decision, not ours.
 *
 * Threads run at the lowest priority, because a scan must not wait for a picture: on a core that scans keep full a
 * thread gets one part in seventy, and at 10 instead of 19 one in ten, which every scan of the slowest hundredth then
 * feels. A large picture can take many seconds that way, so what a job may take is counted in processor time: by the
 * clock, a thread that waits for its turn would look like one that hangs. A thread that starts has the ordinary
 * priority until it has loaded what it needs, or the first picture would take as long as hundreds.
 */
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import {
  renderMsMax,
  renderThreadHeapMb,
  renderThreadIdleMs,
  renderThreadStartMsMax,
  renderWaitMsMax,
} from "../limits.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { type Drawn, jobsAt, type RenderJob, type RenderTask, threadAt } from "./render-job.ts";
import { threadMs } from "./thread-time.ts";

export interface RenderThreads {
  /**
   * Draws them on one thread, one after the other; in the order of the jobs. Rejects when the thread hangs, dies or runs
   * out of memory.
   */
  draw(jobs: readonly RenderJob[]): Promise<Drawn[]>;
  close(): Promise<void>;
}

export interface RenderThreadsOptions {
  threads: number;
  clock?: Clock;
  /** How long a job may take once its thread has begun it: of the thread's time where the system tells it. */
  jobMsMax?: number;
  /** Tests hand in a worker that misbehaves. */
  worker?: URL;
}

const threadsKept = 2;
const looksPerJob = 5;

export function openRenderThreads(options: RenderThreadsOptions): RenderThreads {
  const { threads, clock = systemClock, jobMsMax = renderMsMax } = options;
  // Looking several times tells a thread that still starts from one that has begun and hangs.
  const lookMs = jobMsMax / looksPerJob;
  const worker = options.worker ?? shippedWorker();
  const pool = new Piscina<RenderTask, Drawn[]>({
    filename: fileURLToPath(worker),
    minThreads: Math.min(threads, threadsKept),
    maxThreads: threads,
    idleTimeout: renderThreadIdleMs,
    // Each thread has one in hand; the rest of the room is for those whose threads start up.
    maxQueue: 2 * threads,
    concurrentTasksPerWorker: 1,
    atomics: "sync",
    resourceLimits: { maxOldGenerationSizeMb: renderThreadHeapMb },
    execArgv: isTypeScript(worker) ? loadTypeScript() : loadByImport(),
    env: {},
    recordTiming: false,
    closeTimeout: renderMsMax,
  });
  // A thread that dies between two jobs has already been replaced; without a listener it would end the process.
  pool.on("error", () => {});

  const seats: Seat[] = [];

  return {
    async draw(jobs) {
      const seat = seats.pop() ?? newSeat();
      const { begun, abort } = seat;
      begun.fill(0);
      let hung: string | null = null;
      let startMs = 0;
      let waitedMs = 0;
      let jobMs = 0;
      let jobSeen = 0;
      let timeSeen: number | null = null;
      const look = (): void => {
        const thread = Atomics.load(begun, threadAt);
        const job = Atomics.load(begun, jobsAt);
        if (job !== jobSeen) {
          jobSeen = job;
          waitedMs = 0;
          jobMs = 0;
        }
        if (thread === 0) startMs += lookMs;
        else {
          const time = threadMs(thread);
          waitedMs += lookMs;
          jobMs += time === null || timeSeen === null ? lookMs : time - timeSeen;
          timeSeen = time;
        }
        if (jobMs > jobMsMax) hung = `Rendering took longer than ${jobMsMax} ms.`;
        else if (startMs > renderThreadStartMsMax) hung = "No render thread became free.";
        else if (waitedMs > renderWaitMsMax) hung = `Rendering was not done after ${renderWaitMsMax} ms.`;
        if (hung === null) cancelLook = clock.after(lookMs, look);
        else abort.abort();
      };
      let cancelLook = clock.after(lookMs, look);
      try {
        return await pool.run({ jobs, begun }, { signal: abort.signal });
      } catch (error) {
        throw new Error(hung ?? reason(error), { cause: error });
      } finally {
        cancelLook();
        if (!abort.signal.aborted) seats.push(seat);
      }
    },
    async close() {
      await pool.destroy();
    },
  };
}

/** What jobs and their thread share. Making it costs more than handing them over, so the next ones take it over. */
interface Seat {
  begun: RenderTask["begun"];
  /** Ends the thread; the seat with it. */
  abort: AbortController;
}

function newSeat(): Seat {
  return { begun: new Int32Array(new SharedArrayBuffer(8)), abort: new AbortController() };
}

/** Beside this module in a bundle, in its own folder among the sources. */
function shippedWorker(): URL {
  const path = isTypeScript(new URL(import.meta.url))
    ? "../../workers/render-worker.ts"
    : "./render-worker.js";
  return new URL(path, import.meta.url);
}

function isTypeScript(module: URL): boolean {
  return module.pathname.endsWith(".ts");
}

/** Piscina loads the worker by `require`: this lets it find TypeScript there, whatever started this process. */
function loadTypeScript(): string[] {
  return ["--require", fileURLToPath(import.meta.resolve("tsx/cjs"))];
}

const requireOfModules = "--experimental-require-module";

/**
 * Piscina tries `require` first, also for what is a module, and then `import`. A thread that is ended while Node requires
 * a module ends the whole process (an assertion in CreateRequiredModuleFacade, Node 20); while it imports one it just ends.
 */
function loadByImport(): string[] {
  const canRequire = process.allowedNodeEnvironmentFlags.has(requireOfModules);
  return canRequire ? [requireOfModules.replace("--", "--no-")] : [];
}

function reason(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return "The render thread ran out of memory.";
  if (name === "AbortError") return "The render threads were closed.";
  if (message?.startsWith("worker exited")) return "The render thread died.";
  return `Rendering failed: ${message}`;
}
