/** The process: reads the configuration, starts the service, and stops it in good order on a signal. */
import { networkInterfaces } from "node:os";
import manifest from "../package.json" with { type: "json" };
import { FolderInUse } from "./cluster/data-folder.ts";
import { ConfigError, readConfig } from "./config.ts";
import { NoSuchEngine } from "./engine/choose.ts";
import { CannotListen } from "./engine/engine.ts";
import { drainMsMax } from "./limits.ts";
import { openLog } from "./runtime/log.ts";
import { welcome } from "./service/first-start.ts";
import { phoneHint } from "./service/phone-hint.ts";
import { type Service, startService } from "./service/service.ts";
import { StoreUnavailable } from "./store/store.ts";

const usage = `qrelay: dynamic QR codes and the short links behind them

Usage: npm start            start the service
       npm start -- --help  show this text
       npm start -- --version

Configuration is read from the environment:

  HOST, PORT         where it listens (127.0.0.1, 3000; PORT=0 takes a free port)
  HTTP_ENGINE        what speaks HTTP: "uws", "node", or "auto": uws wherever it loads (auto)
  PUBLIC_URL         origin in links and file URLs (http://localhost:PORT)
  DATA_DIR           embedded store, scan journal, admin token (./data)
  MONGODB_URL        use MongoDB (replica set or sharded cluster) instead of the embedded store
  ADMIN_TOKEN        bearer token of the admin API (kept in DATA_DIR/admin-token)
  METRICS            who may read /metrics: "token", "open" to all, or "off" (token)
  METRICS_TOKEN      bearer token of /metrics; the admin token opens it too
  PLANS_FILE         JSON that replaces the built-in plans
  BLOCKLIST_FILE     hosts and URL prefixes that links must not lead to, one a line
  SAFETY_CHECK_URL   a Web-Risk-style service that is asked about URLs (SAFETY_CHECK_KEY: its key;
                     SAFETY_CHECK_FAIL: "open" or "closed" when it does not answer)
  TRUSTED_PROXIES    addresses and CIDR ranges whose forwarding headers are believed
  COUNTRY_HEADER     header in which a trusted proxy names the visitor's country
  GEOIP_DB           country database in .mmdb form (one is shipped)
  SCAN_SYNC          milliseconds between syncs of the scan journal, or "always" (100)
  RENDER_THREADS     threads that draw images (cores - 1)
  LOG_LEVEL          trace, debug, info, warn, error, fatal or silent (info)
  ACCESS_LOG         "api": log every request but scans; "all": scans too (off)
  ACCESS_LOG_SAMPLE  share of the scans that are logged then, 0 to 1 (0.01)
  QRELAY_BOOTSTRAP   "off": do not create the demo account on an empty store
`;

/** An ordinary exit joins the threads of the process, and one that still writes to the store would hold it up. */
function exitAtOnce(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
}

async function main(args: string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) return void process.stdout.write(usage);
  if (args.includes("--version")) return void console.log(`qrelay ${manifest.version}`);
  if (args.length > 0) throw new ConfigError(`${args[0]} is not an option; see --help`);

  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  const service = await startService(
    config,
    { log },
    {
      roleChanged: (service) => announce(service, config.host),
      failed(cause) {
        log.fatal({ err: cause }, "could not take the role");
        process.exit(1);
      },
    },
  );

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) exitAtOnce();
    stopping = true;
    log.info({ signal }, "draining");
    setTimeout(() => {
      log.error("could not drain in time");
      exitAtOnce();
    }, drainMsMax).unref();
    service.stop().then(
      () => process.exit(0),
      (cause) => {
        log.fatal({ err: cause }, "stop failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // Last: whoever reads the line may send a signal.
  announce(service, config.host);
}

function announce(service: Service, host: string): void {
  if (service.firstKey !== null) process.stdout.write(welcome(service.firstKey, service.address));
  if (service.publicUrl !== "") {
    const port = Number(new URL(service.address).port || 80);
    process.stdout.write(phoneHint(service.publicUrl, host, port, networkInterfaces()));
  }
  console.log(`qrelay ${service.isOwner() ? "listening" : "standing by"} on ${service.address}`);
}

main(process.argv.slice(2)).catch((cause: Error) => {
  const expected =
    cause instanceof ConfigError ||
    cause instanceof FolderInUse ||
    cause instanceof StoreUnavailable ||
    cause instanceof NoSuchEngine ||
    cause instanceof CannotListen;
  console.error(expected ? `qrelay: ${cause.message}` : cause);
  process.exit(1);
});
