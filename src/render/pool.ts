/**
 * Draws pictures on threads, several small ones at a time.
 *
 * To hand a job to a thread and take its picture back costs the event loop more than all else about the picture. So jobs that
 * wait go together, as many as a thread draws in some milliseconds; large pictures go alone. Pictures that come back
 * together are also stored together, by one commit.
 *
 * A thread that fails while it has several jobs does not tell whose fault it was: each of them is drawn again, alone.
 */
import { renderJobsAtOnce, renderPixelsAtOnce } from "../limits.ts";
import type { Drawn, RenderJob, RenderResult } from "./render-job.ts";
import { openRenderThreads, type RenderThreadsOptions } from "./threads.ts";

export interface Renderer {
  /** False when the threads have enough to do until some of their jobs are done. */
  hasRoom(): boolean;
  /** Rejects when the job throws, or when its thread hangs, dies or runs out of memory. */
  render(job: RenderJob): Promise<RenderResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly job: RenderJob;
  readonly pixels: number;
  isAlone: boolean;
  resolve(result: RenderResult): void;
  reject(error: unknown): void;
}

/** One that a thread draws, and one that it finds when it has done so. */
const batchesPerThread = 2;

export function openRenderer(options: RenderThreadsOptions): Renderer {
  const { threads } = options;
  const drawing = openRenderThreads(options);
  const waiting: Waiting[] = [];
  let batches = 0;
  let jobs = 0;
  let pixels = 0;
  let isGathering = false;

  /** What is asked for in one go is here when it runs. */
  function handOver(): void {
    isGathering = false;
    while (waiting.length > 0 && batches < batchesPerThread * threads) void draw(takeBatch());
  }

  function takeBatch(): Waiting[] {
    // So that all threads have some of it.
    const most = Math.min(renderJobsAtOnce, Math.ceil(waiting.length / threads));
    const [first] = waiting as [Waiting];
    let taken = 1;
    let sum = first.pixels;
    while (taken < most && !first.isAlone) {
      const next = waiting[taken]!;
      sum += next.pixels;
      if (next.isAlone || sum > renderPixelsAtOnce) break;
      taken++;
    }
    return waiting.splice(0, taken);
  }

  async function draw(batch: readonly Waiting[]): Promise<void> {
    batches++;
    try {
      const drawn = await drawing.draw(batch.map(({ job }) => job));
      for (const [at, job] of batch.entries()) end(job, drawn[at]!);
    } catch (error) {
      if (batch.length === 1) fail(batch[0]!, error);
      else waiting.unshift(...batch.map(alone));
    }
    batches--;
    handOver();
  }

  function end(job: Waiting, drawn: Drawn): void {
    if ("problem" in drawn) {
      fail(job, new Error(`Rendering failed: ${drawn.problem}`));
      return;
    }
    leave(job);
    job.resolve(drawn);
  }

  function fail(job: Waiting, error: unknown): void {
    leave(job);
    job.reject(error);
  }

  function leave(job: Waiting): void {
    jobs--;
    pixels -= job.pixels;
  }

  return {
    hasRoom() {
      const most = batchesPerThread * threads;
      return jobs < most || (pixels < most * renderPixelsAtOnce && jobs < most * renderJobsAtOnce);
    },
    render(job) {
      const { width, height } = job.metadata;
      return new Promise((resolve, reject) => {
        waiting.push({ job, pixels: width * height, isAlone: false, resolve, reject });
        jobs++;
        pixels += width * height;
        if (isGathering) return;
        isGathering = true;
        queueMicrotask(handOver);
      });
    },
    close: () => drawing.close(),
  };
}

function alone(job: Waiting): Waiting {
  job.isAlone = true;
  return job;
}
