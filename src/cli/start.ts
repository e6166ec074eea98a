/** The process of the service: reads the configuration, starts it, and stops it in good order on a signal. */
import { networkInterfaces } from "node:os";
import { UnusableFolder } from "../cluster/data-folder.ts";
import { ConfigError, readConfig } from "../config.ts";
import { NoSuchEngine } from "../engine/choose.ts";
import { CannotListen } from "../engine/engine.ts";
import { drainMsMax, sharedPieceBytes } from "../limits.ts";
import { putLoopFirst } from "../runtime/helper-threads.ts";
import { openLog } from "../runtime/log.ts";
import { welcome } from "../service/first-start.ts";
import { phoneHint } from "../service/phone-hint.ts";
import { type Service, startService } from "../service/service.ts";
import { StoreUnavailable } from "../store/store.ts";
import { CommandError } from "./command-error.ts";

/** An ordinary exit joins the threads of the process, and one that still writes to the store would hold it up. */
function exitAtOnce(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
}

/** As it was typed: in a release that was installed there is no script to run. */
const startCommand = process.env.npm_lifecycle_event === "start" ? "npm start" : "qrelay start";

/** What the operator can put right. */
const expected = [ConfigError, UnusableFolder, StoreUnavailable, NoSuchEngine, CannotListen];

export async function start(): Promise<void> {
  try {
    await serve();
  } catch (cause) {
    throw expected.some((kind) => cause instanceof kind) ? new CommandError((cause as Error).message) : cause;
  }
}

async function serve(): Promise<void> {
  putLoopFirst();
  Buffer.poolSize = sharedPieceBytes;
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
  const { firstKey, firstLink, address } = service;
  if (firstKey !== null && firstLink !== null) process.stdout.write(welcome(firstKey, firstLink, address));
  if (service.publicUrl !== "") {
    const port = Number(new URL(service.address).port || 80);
    process.stdout.write(phoneHint(service.publicUrl, host, port, networkInterfaces(), startCommand));
  }
  console.log(`qrelay ${service.isOwner() ? "listening" : "standing by"} on ${service.address}`);
}
