/** Servers that are watched from inside: their turns of the event loop, and what they keep in memory. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Core, type Program, type Server, startServer } from "./processes.ts";

export interface WatchedServer extends Server {
  /** In milliseconds, since this was last asked. */
  longestTurn(): Promise<number>;
  /** Its clock, by so much that the next saving of counts is due. */
  putForward(): void;
}

export interface CountedServer extends Server {
  /** All turns since its start. Counting costs the server nothing. */
  turns(): Promise<number>;
}

export interface CollectingServer extends Server {
  /** Resolves when it has let go of all that it does not keep. */
  collected(): Promise<void>;
}

export async function startCollecting(
  program: Program,
  folder: string,
  core: Core,
): Promise<CollectingServer> {
  const collecting = { ...program, nodeOptions: ["--expose-gc"] };
  const { server, told } = await startTelling("bench/servers/collect-on-signal.ts", collecting, folder, core);
  return { ...server, collected: async () => void (await told()) };
}

export async function startWatched(program: Program, folder: string, core: Core): Promise<WatchedServer> {
  // That a clock of theirs is experimental is nothing to tell whoever runs a bench.
  const watched = { ...program, nodeOptions: ["--no-warnings"] };
  const { server, told } = await startTelling("bench/servers/turns-on-signal.ts", watched, folder, core);
  return { ...server, longestTurn: told, putForward: () => void process.kill(server.pid, "SIGALRM") };
}

export async function startCounted(program: Program, folder: string, core: Core): Promise<CountedServer> {
  const { server, told } = await startTelling("bench/servers/count-on-signal.ts", program, folder, core);
  return { ...server, turns: told };
}

/** By what is loaded before it: `servers/tell-on-signal.ts`. */
async function startTelling(
  preload: string,
  program: Program,
  folder: string,
  core: Core,
): Promise<{ server: Server; told(): Promise<number> }> {
  const file = join(folder, "told");
  const env = { ...program.env, BENCH_TOLD_FILE: file };
  const server = await startServer({ ...program, env, preloads: [preload] }, core);
  return {
    server,
    async told() {
      rmSync(file, { force: true });
      process.kill(server.pid, "SIGUSR2");
      while (!existsSync(file)) await pause(5);
      return Number(readFileSync(file, "utf8"));
    },
  };
}
