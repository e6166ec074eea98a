import type { Reply } from "../http/exchange.ts";
import { metricsKeptMs } from "../limits.ts";
import { expositionType } from "../metrics/exposition.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Millis } from "../runtime/clock.ts";
import type { Call } from "./call.ts";

const taken = new WeakMap<Metrics, { at: Millis; text: string }>();

/** `GET /metrics`, for Prometheus. Taking the figures costs a millisecond: whoever asks often gets them again. */
export function getMetrics({ services: { metrics, clock } }: Call): Reply {
  const now = clock.now();
  let figures = taken.get(metrics);
  if (figures === undefined || Math.abs(now - figures.at) >= metricsKeptMs) {
    figures = { at: now, text: metrics.expose() };
    taken.set(metrics, figures);
  }
  return { status: 200, headers: [["content-type", expositionType]], body: figures.text };
}
