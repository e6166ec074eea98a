/** A server whose turns of the event loop are watched from inside it. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Core, type Program, type Server, startServer } from "./processes.ts";

export interface WatchedServer extends Server {
  /** In milliseconds, since this was last asked. */
  longestTurn(): Promise<number>;
}

const watching = ["--import", "tsx", "--import", "./bench/servers/turns-on-signal.ts"];

export async function startWatched(program: Program, folder: string, core: Core): Promise<WatchedServer> {
  const file = join(folder, "longest-turn");
  const env = { ...program.env, BENCH_TURNS_FILE: file };
  const server = await startServer({ ...program, env, nodeOptions: watching }, core);
  return {
    ...server,
    async longestTurn() {
      rmSync(file, { force: true });
      process.kill(server.pid, "SIGUSR2");
      while (!existsSync(file)) await pause(5);
      return Number(readFileSync(file, "utf8"));
    },
  };
}
