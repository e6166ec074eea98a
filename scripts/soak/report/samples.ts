/** One sample a second: memory of the service, latency and errors of the traffic. */
import { createHistogram } from "node:perf_hooks";
import { residentBytes } from "../../../bench/processes.ts";
import type { Counts } from "../calls/judge.ts";
import type { Wire } from "../calls/wire.ts";

export interface Sample {
  /** Since the traffic began. */
  second: number;
  /** Null while the service is away. */
  residentBytes: number | null;
  heapBytes: number | null;
  scans: LatencyFigures;
  api: LatencyFigures;
  lost: number;
  unavailable: number;
  failed: number;
}

export interface Sources {
  pid(): number | null;
  wire: Wire;
  scans: Latencies;
  api: Latencies;
  counts: Counts;
}

export interface Sampling {
  readonly samples: readonly Sample[];
  stop(): void;
}

const everyMs = 1_000;

/** As many samples as seconds; a day of them is small. */
export function startSampling(sources: Sources, onSample: (sample: Sample) => void): Sampling {
  const began = performance.now();
  const samples: Sample[] = [];
  let before = { ...sources.counts };
  let heapBytes: number | null = null;
  const timer = setInterval(() => {
    const { pid, scans, api, counts } = sources;
    const process = pid();
    const sample: Sample = {
      second: Math.round((performance.now() - began) / 1_000),
      residentBytes: process === null ? null : residentOrNull(process),
      heapBytes: process === null ? null : heapBytes,
      scans: scans.figures(),
      api: api.figures(),
      lost: counts.lost - before.lost,
      unavailable: counts.unavailable - before.unavailable,
      failed: counts.failed - before.failed,
    };
    before = { ...counts };
    scans.clear();
    api.clear();
    samples.push(sample);
    onSample(sample);
    void readHeap(sources.wire).then((bytes) => {
      heapBytes = bytes;
    });
  }, everyMs);
  return { samples, stop: () => clearInterval(timer) };
}

/** A process may end between the look at its number and the look at its memory. */
function residentOrNull(pid: number): number | null {
  try {
    return residentBytes(pid);
  } catch {
    return null;
  }
}

/** Of the main thread; null when the service does not answer. */
async function readHeap(wire: Wire): Promise<number | null> {
  const answer = await wire.send({ method: "GET", path: "/metrics" });
  if (answer.status !== 200) return null;
  const bytes = /^nodejs_memory_bytes\{kind="heap_used"\} (\S+)$/m.exec(String(answer.body))?.[1];
  return bytes === undefined ? null : Number(bytes);
}

export interface LatencyFigures {
  count: number;
  /** Milliseconds; null when nothing was measured. */
  p50: number | null;
  p99: number | null;
}

/** Latencies of one side over some time, in a fixed amount of memory. */
export interface Latencies {
  add(ms: number): void;
  figures(): LatencyFigures;
  clear(): void;
}

const microsecondsMax = 60_000_000;

export function openLatencies(): Latencies {
  const histogram = createHistogram({ lowest: 1, highest: microsecondsMax, figures: 3 });
  const at = (share: number) => (histogram.count === 0 ? null : histogram.percentile(share) / 1_000);
  return {
    add: (ms) => histogram.record(Math.min(microsecondsMax, Math.max(1, Math.round(ms * 1_000)))),
    figures: () => ({ count: histogram.count, p50: at(50), p99: at(99) }),
    clear: () => histogram.reset(),
  };
}
