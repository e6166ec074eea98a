/**
 * A process that follows another: it serves links from a table, a journal and counts of its own, and hands on all else.
 * Nothing that decides for an account is here.
 */
import { linkMethods, routes } from "../api/operations.ts";
import { getHealth, getMetrics, getReadiness } from "../api/service.ts";
import type { Config } from "../config.ts";
import { dashboardRoutes } from "../dashboard-api/operations.ts";
import { challenged } from "../door/access.ts";
import { openAccessLog } from "../door/access-log.ts";
import { openAdminGuard } from "../door/admin-guard.ts";
import { type Forward, listenForwarding } from "../door/forwarding.ts";
import type { Server } from "../door/server.ts";
import type { Engine } from "../engine/engine.ts";
import { drainMsMax, sharedCheckpointMs } from "../limits.ts";
import { openMetrics } from "../metrics/metrics.ts";
import { systemClock } from "../runtime/clock.ts";
import { Opened } from "../runtime/opened.ts";
import type { AskOwner } from "../scan/limited-elsewhere.ts";
import { openScans, type Scans } from "../scan/scans.ts";
import type { Store } from "../store/store.ts";
import { keptAdminToken } from "./admin-token.ts";
import type { Surroundings } from "./compose.ts";
import { type LinksServed, linkSources, linksOf } from "./links-served.ts";

export interface Follower {
  scans: Scans;
  /** Resolves with what stops it. */
  listen(): Promise<() => Promise<void>>;
}

/** The owner, as seen from here. */
export interface Owner {
  call: Forward;
  limited: AskOwner;
  isKnown(): boolean;
}

/** Does all that needs the store. */
export async function prepareFollower(
  config: Config,
  engine: Engine,
  bareStore: Store,
  { log, clock = systemClock, cluster }: Surroundings,
  owner: Owner,
): Promise<Follower> {
  const opened = new Opened();
  const served: LinksServed = { server: null, links: null, scans: () => scans };
  const none = () => 0;
  const metrics = openMetrics({
    ...linkSources(served, engine, clock),
    actors: { live: none, waiting: none },
    renders: { depth: none },
    searches: { running: none, waiting: none },
    ...(cluster && { cluster: cluster.figures }),
  });
  opened.add(() => metrics.close());
  const store = metrics.watchStore(bareStore);
  const scans = await openScans({
    ...{ store, clock, log, dataDir: config.dataDir, sync: config.scanSync },
    limits: { checkpointMs: sharedCheckpointMs },
    askOwner: owner.limited,
  }).catch(async (cause) => {
    await opened.close();
    throw cause;
  });
  opened.add(() => scans.close());
  const adminToken = config.adminToken ?? keptAdminToken(config.dataDir);
  const guard = openAdminGuard({ token: adminToken, metricsToken: config.metricsToken, clock, log });
  const parts = {
    ...{ metrics, clock, log, engine: engine.name, trustedProxies: config.trustedProxies },
    async problems() {
      const found: string[] = [];
      if (!owner.isKnown()) found.push("cluster: no connection with the owner of the accounts");
      else if (scans.mayServe?.() === false)
        found.push("right to serve: the owner has not confirmed it lately");
      const journal = scans.health();
      if (journal !== null) found.push(`scan journal: ${journal}`);
      return found;
    },
  };
  const accessLog = openAccessLog({ kind: config.accessLog, sample: config.accessLogSample, log });
  const handedOn = [...routes, ...dashboardRoutes].filter(
    ({ access }) => access !== "metrics" || config.metrics !== "off",
  );
  const listen = async (): Promise<Server> =>
    listenForwarding({
      ...{ engine, host: config.host, port: config.port, routes: handedOn, linkMethods, parts, accessLog },
      forward: owner.call,
      own: {
        "/healthz": (exchange) => getHealth({ exchange }),
        "/readyz": (exchange) => getReadiness({ exchange }, parts),
        "/metrics": (exchange) =>
          challenged("metrics", exchange, () => {
            if (config.metrics !== "open")
              guard.checkMetrics(exchange.header("authorization"), exchange.client);
            return getMetrics({ exchange }, parts);
          }),
      },
      registerLinks: linksOf(served, config, metrics, accessLog),
    });
  return {
    scans,
    async listen() {
      try {
        const listening = await listen();
        served.server = listening;
        opened.add(() => listening.close(drainMsMax / 2));
        return () => opened.close();
      } catch (cause) {
        await opened.close().catch(() => {});
        throw cause;
      }
    },
  };
}
