import { expositionType } from "../metrics/exposition.ts";
import type { Reply } from "./exchange.ts";

interface Exposing {
  services: { metrics: { expose(): string } };
}

/** `GET /metrics`, for Prometheus. */
export function getMetrics({ services }: Exposing): Reply {
  return {
    status: 200,
    headers: [
      ["content-type", expositionType],
      ["cache-control", "no-store"],
    ],
    body: services.metrics.expose(),
  };
}
