/** What is the same in every process that serves links, whether it owns the accounts or follows who does. */
import manifest from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import type { AccessLog } from "../door/access-log.ts";
import type { Server, ServerOptions } from "../door/server.ts";
import type { Engine } from "../engine/engine.ts";
import { verdicts } from "../link/decision.ts";
import type { MetricSources, Metrics } from "../metrics/metrics.ts";
import { registerScans, type ScanRoutes } from "../redirect/link-handler.ts";
import { onlyPeerOf } from "../redirect/visit.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Scans } from "../scan/scans.ts";
import { openCountries } from "../visitor/country.ts";

/** Metrics are opened first and ask for the others when they are there. */
export interface LinksServed {
  server: Server | null;
  links: ScanRoutes | null;
  scans(): Scans;
}

export function linkSources(
  served: LinksServed,
  engine: Engine,
  clock: Clock,
): Omit<MetricSources, "actors" | "renders" | "searches"> {
  const { scans } = served;
  return {
    version: manifest.version,
    engine: engine.name,
    connections: () => served.server?.connections.open ?? 0,
    mayServe: () => scans().mayServe?.() ?? true,
    scans: { verdicts, figures: () => served.links?.counters ?? null, links: () => scans().table.size },
    journal: {
      bytes: () => scans().journal.bytes,
      lagMs: () => (scans().journal.bytes === 0 ? 0 : clock.now() - scans().savedAt),
      isHealthy: () => scans().health() === null,
    },
  };
}

/** Puts the links on the engine. */
export function linksOf(
  served: LinksServed,
  config: Config,
  metrics: Pick<Metrics, "scansAnswered">,
  accessLog: AccessLog | null,
): ServerOptions<unknown>["registerLinks"] {
  return (app, atOnce) => {
    served.links = registerScans(app, {
      scans: served.scans(),
      atOnce,
      observer: { scansAnswered: metrics.scansAnswered, ...accessLog?.links },
      countries: openCountries(config.geoipDb ?? undefined),
      countryHeader: config.countryHeader,
      onlyPeer: onlyPeerOf(config.host),
      trustedProxies: config.trustedProxies,
    });
    return served.links;
  };
}
