/**
 * A process of clients that send thousands of requests at once and read what comes; who loses the connection does
 * it once more on another. A process of its own, so that reading does not disturb whoever measures.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface Attack {
  url: string;
  /** The text of one request. */
  request: string;
  connections: number;
  /** How often each connection sends the request, all at once. */
  times: number;
}

/** Resolves when all connections have sent something. */
export async function startAttackers(attack: Attack): Promise<ChildProcess> {
  const file = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, ["--import", "tsx", file, JSON.stringify(attack)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  return child;
}

/** A new connection is no part of the flood: there are few of them in a second. */
const pauseMs = 50;

async function attackForEver({ url, request, connections, times }: Attack): Promise<void> {
  const { hostname, port } = new URL(url);
  const flood = Buffer.from(request.repeat(times));
  let absent = connections;
  const attack = async () => {
    for (;;) {
      const socket = connect(Number(port), hostname, () => {
        if (--absent === 0) process.stdout.write("all are here\n");
      });
      socket.on("error", () => {});
      socket.resume();
      socket.write(flood);
      await new Promise<void>((closed) => socket.once("close", () => closed()));
      await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, attack));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await attackForEver(JSON.parse(process.argv[2]!) as Attack);
}
