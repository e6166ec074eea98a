/** The service as a process of its own, at one address over all its restarts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodeCommand, type Program } from "../../bench/processes.ts";
import { dice } from "../../test/support/dice.ts";
import { disturbedShare, type SoakOptions } from "./arguments.ts";

export interface Instance {
  /** Null while there is no process. */
  pid(): number | null;
  /** Ends the process, starts it again, and resolves when it is ready. */
  restart(signal: Restart["signal"]): Promise<void>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const readyMsMax = 90_000;
const leaseLookMs = 50;
/** A little above what the service promises for its drain. */
const stopMsMax = 11_000;
const errorLevel = 50;

/** `complain` is told what the process must never do: end by itself, log an error, not drain. */
export async function startInstance(
  program: Program,
  url: string,
  complain: (what: string) => void,
): Promise<Instance> {
  let child: ChildProcess | null = null;
  process.once("exit", () => child?.kill("SIGKILL"));

  /** Plain text on the standard output is what the service tells people at its start; anywhere else it is a failure. */
  function read(stream: NodeJS.ReadableStream, mayTell: boolean): void {
    createInterface({ input: stream }).on("line", (line) => {
      if (line.startsWith("{") ? isError(line) : line !== "" && !mayTell)
        complain(`the service logged ${line.slice(0, 500)}`);
    });
  }

  async function start(): Promise<void> {
    const [file, ...args] = await nodeCommand(program);
    const started = spawn(file!, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production", ...program.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    read(started.stdout, true);
    read(started.stderr, false);
    started.once("exit", (code, signal) => {
      if (child !== started) return;
      child = null;
      complain(`the service ended by itself with ${signal ?? `code ${code}`}`);
    });
    for (const end = performance.now() + readyMsMax; performance.now() < end; await pause(leaseLookMs)) {
      if ((await fetch(`${url}/readyz`).catch(() => null))?.status === 200) return;
      if (child === null) break;
    }
    throw new Error("the service did not become ready");
  }

  async function end(signal: Restart["signal"]): Promise<void> {
    if (child === null) return;
    const ended = child;
    child = null;
    const late = setTimeout(() => {
      complain(`the service did not end within ${stopMsMax} ms of ${signal}`);
      ended.kill("SIGKILL");
    }, stopMsMax);
    const exited = once(ended, "exit");
    ended.kill(signal);
    const [code] = await exited;
    clearTimeout(late);
    if (signal === "SIGTERM" && code !== 0) complain(`the service drained and ended with code ${code}`);
  }

  await start();
  return {
    pid: () => child?.pid ?? null,
    async restart(signal) {
      await end(signal);
      await start();
    },
    stop: () => end("SIGTERM"),
  };
}

/** Whatever is no line of the log is the runtime's, and the runtime only says what is wrong. */
function isError(line: string): boolean {
  try {
    return (JSON.parse(line) as { level: number }).level >= errorLevel;
  } catch {
    return true;
  }
}

/** When the service is restarted, and how: from the seed alone. */
export interface Restart {
  /** Since the traffic began. */
  atMs: number;
  signal: "SIGKILL" | "SIGTERM";
}

/** The service has traffic to lose before the first one. */
const quietShare = 0.04;
const stream = 1;
/** Leaves the process some time to come back before the next one. */
const usedShareOfSlot = 0.7;

/** One at a random moment in each of as many equal slots; the signals alternate. */
export function planRestarts({ minutes, restarts, seed }: SoakOptions): Restart[] {
  const chance = dice(seed, stream);
  const durationMs = minutes * 60_000;
  const slotMs = (durationMs * (disturbedShare - quietShare)) / Math.max(1, restarts);
  const first = chance.below(2);
  return Array.from({ length: restarts }, (_, at) => ({
    atMs: durationMs * quietShare + slotMs * (at + (usedShareOfSlot * chance.below(1_000)) / 1_000),
    signal: (at + first) % 2 === 0 ? "SIGKILL" : "SIGTERM",
  }));
}
