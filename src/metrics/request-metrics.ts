import type { Family } from "./exposition.ts";
import { Histogram, secondsBounds } from "./histogram.ts";

/** Told of every answer of one route. A client that left before it got its answer is counted as `aborted`. */
export type RouteMeter = (status: number | "aborted", seconds: number) => void;

interface Route {
  method: string;
  path: string;
  statuses: Map<number | "aborted", number>;
  seconds: Histogram;
}

/**
 * Requests by route. A meter is made once for each route of the table, so that a request costs no look-up by
 * text, and whatever a client puts into its path or method can never become a label.
 */
export function requestMetrics(): { meter(method: string, path: string): RouteMeter; families: Family[] } {
  const routes: Route[] = [];
  const asked = () => routes.filter((route) => route.statuses.size > 0);
  return {
    meter(method, path) {
      const statuses: Route["statuses"] = new Map();
      const seconds = new Histogram(secondsBounds);
      routes.push({ method, path, statuses, seconds });
      return (status, took) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        seconds.observe(took);
      };
    },
    families: [
      {
        name: "qrelay_http_requests_total",
        help: "Requests answered, by route and status; public links are counted as scans.",
        type: "counter",
        samples: () =>
          asked().flatMap(({ method, path, statuses }) =>
            [...statuses].map(([status, value]) => ({
              labels: { method, route: path, status: String(status) },
              value,
            })),
          ),
      },
      {
        name: "qrelay_http_request_seconds",
        help: "From the head of a request until its answer was handed to the socket.",
        type: "histogram",
        samples: () =>
          asked().flatMap(({ method, path, seconds }) => seconds.samples({ method, route: path })),
      },
    ],
  };
}
