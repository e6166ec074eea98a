/** The service as a process of its own under attack: what its memory and its processor time do. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { metricsKeptMs } from "../../src/limits.ts";
import { Client } from "./client.ts";
import { endsWithTest, temporaryFolder } from "./endings.ts";
import { engineEnv } from "./engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface AttackedProcess {
  url: string;
  key: string;
  api: Client;
  /** Memory of the process that is in use, in MB. */
  rssMb(): number;
  /** The most that it was in use since `forgetPeak`. */
  peakMb(): number;
  forgetPeak(): void;
  /** Time on a processor so far, in ms. */
  cpuMs(): number;
  /** Value of a metric, by the beginning of its line; takes a second, so that it is not one from before. */
  metric(line: string): Promise<number>;
  stop(): Promise<void>;
}

/** `filesMax` is what the process may have open, when it is not to have what this one has. */
export async function spawnAttacked(filesMax?: number): Promise<AttackedProcess> {
  const dataDir = temporaryFolder();
  const command = `${filesMax === undefined ? "" : `ulimit -n ${filesMax} && `}exec "$0" --import tsx src/main.ts`;
  const child = spawn("/bin/sh", ["-c", command, process.execPath], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      DATA_DIR: dataDir,
      RENDER_THREADS: "1",
      LOG_LEVEL: "warn",
      METRICS: "open",
      ...engineEnv,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const stop = endsWithTest(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  const output = await untilReady(child);
  const url = /^qrelay listening on (http:\/\/\S+)$/m.exec(output)![1]!;
  const key = /api_live_\w+/.exec(output)![0];
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "latin1");
  const memory = (what: string) =>
    Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, "m").exec(proc("status"))![1]) / 1024;
  return {
    url,
    key,
    api: new Client(url, { "x-api-key": key }),
    rssMb: () => memory("VmRSS"),
    peakMb: () => memory("VmHWM"),
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, "5"),
    cpuMs() {
      const [, , , , , , , , , , , user, system] = proc("stat")
        .replace(/^.*\) /, "")
        .split(" ");
      return 10 * (Number(user) + Number(system));
    },
    async metric(line) {
      await sleep(metricsKeptMs);
      const text = await (await fetch(`${url}/metrics`)).text();
      const found = text.split("\n").find((each) => each.startsWith(line));
      return Number(found?.split(" ").at(-1) ?? 0);
    },
    stop,
  };
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout!.on("data", (chunk) => {
      output += chunk;
      if (output.includes("qrelay listening on")) resolve(output);
    });
    child.once("close", () => reject(new Error(`the service ended before it was ready: ${output}`)));
  });
}

/** A client that does not read. */
export async function openDeaf(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}
