/** What every Node process can say of itself. Names are those that common dashboards expect. */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { counter, type Family, gauge, type Sample } from "./exposition.ts";

const resolutionMs = 10;
/** Readers that come within this time of each other are told the same stretch. */
const loopWindowMs = 10_000;
const nanosecondsPerSecond = 1e9;
const microsecondsPerSecond = 1e6;

export interface ProcessMetrics {
  families: Family[];
  close(): void;
}

export function openProcessMetrics(): ProcessMetrics {
  const loop = openLoopDelay();
  const startedAt = Date.now() / 1000 - process.uptime();
  return {
    families: [
      {
        name: "qrelay_event_loop_delay_seconds",
        help: "How late the event loop came to a timer, over the last seconds.",
        type: "gauge",
        samples: () => loop.read(),
      },
      counter(
        "qrelay_event_loop_active_seconds_total",
        "How long the event loop was busy.",
        () => performance.eventLoopUtilization().active / 1000,
      ),
      counter("process_cpu_seconds_total", "User and system CPU time, render threads included.", () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / microsecondsPerSecond;
      }),
      gauge("process_start_time_seconds", "Start of the process, in Unix time.", () => startedAt),
      gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss()),
      {
        name: "nodejs_memory_bytes",
        help: "Memory of the main thread's heap and what hangs off it.",
        type: "gauge",
        samples() {
          const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
          return [
            { labels: { kind: "heap_used" }, value: heapUsed },
            { labels: { kind: "heap_total" }, value: heapTotal },
            { labels: { kind: "external" }, value: external },
            { labels: { kind: "array_buffers" }, value: arrayBuffers },
          ];
        },
      },
    ],
    close: () => loop.close(),
  };
}

/** The monitor records the whole time between two looks; what is above its own interval is the delay. */
function openLoopDelay(): { read(): Sample[]; close(): void } {
  const monitor: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });
  monitor.enable();
  let since = performance.now();
  let last: Sample[] | null = null;
  const delay = (nanoseconds: number) =>
    Math.max(0, nanoseconds / nanosecondsPerSecond - resolutionMs / 1000) || 0;
  return {
    read() {
      const now = performance.now();
      if (last !== null && now - since < loopWindowMs) return last;
      last = [
        { labels: { stat: "mean" }, value: delay(monitor.mean) },
        { labels: { stat: "p50" }, value: delay(monitor.percentile(50)) },
        { labels: { stat: "p99" }, value: delay(monitor.percentile(99)) },
        { labels: { stat: "max" }, value: delay(monitor.max) },
      ];
      monitor.reset();
      since = now;
      return last;
    },
    close: () => monitor.disable(),
  };
}
