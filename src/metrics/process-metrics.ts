/** What every Node process can say of itself. Names are those that common dashboards expect. */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { counter, type Family, gauge, labelled } from "./exposition.ts";

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
      labelled(
        "gauge",
        "qrelay_event_loop_delay_seconds",
        "How late the event loop came to a timer, over the last seconds.",
        "stat",
        () => Object.entries(loop.read()),
      ),
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
      labelled(
        "gauge",
        "nodejs_memory_bytes",
        "Memory of the main thread's heap and what hangs off it.",
        "kind",
        () => {
          const {
            heapUsed: heap_used,
            heapTotal: heap_total,
            external,
            arrayBuffers,
          } = process.memoryUsage();
          return Object.entries({ heap_used, heap_total, external, array_buffers: arrayBuffers });
        },
      ),
    ],
    close: () => loop.close(),
  };
}

/** The monitor records the whole time between two looks; what is above its own interval is the delay. */
function openLoopDelay(): { read(): Record<string, number>; close(): void } {
  const monitor: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });
  monitor.enable();
  let since = performance.now();
  let last: Record<string, number> | null = null;
  const delay = (nanoseconds: number) =>
    Math.max(0, nanoseconds / nanosecondsPerSecond - resolutionMs / 1000) || 0;
  return {
    read() {
      const now = performance.now();
      if (last !== null && now - since < loopWindowMs) return last;
      const [p50, p99] = [delay(monitor.percentile(50)), delay(monitor.percentile(99))];
      last = { mean: delay(monitor.mean), p50, p99, max: delay(monitor.max) };
      monitor.reset();
      since = now;
      return last;
    },
    close: () => monitor.disable(),
  };
}
