import { expositionType } from "../metrics/exposition.ts";
import type { Call } from "./call.ts";
import type { Reply } from "./exchange.ts";

/** `GET /metrics`, for Prometheus. */
export function getMetrics({ services }: Call): Reply {
  return {
    status: 200,
    headers: [["content-type", expositionType]],
    body: services.metrics.expose(),
  };
}
