/** The service as a process of its own under attack: what its memory and its processor time do. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { metricsKeptMs } from "../../../src/limits.ts";
import { Client } from "../client.ts";
import { temporaryFolder } from "../endings.ts";
import { spawnService } from "../process.ts";

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
}

export async function spawnAttacked(filesMax?: number): Promise<AttackedProcess> {
  const env = { PORT: "0", DATA_DIR: temporaryFolder(), LOG_LEVEL: "warn", METRICS: "open" };
  const { child, ready, output } = spawnService(env, [], filesMax);
  const url = await ready();
  const key = /api_live_\w+/.exec(output())![0];
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
  };
}

/** A client that does not read. */
export async function openDeaf(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}
