/**
 * The load: wrk where it is installed, autocannon otherwise. autocannon is a Node program and cannot keep a
 * fast server busy from one core, so ratios taken with it flatter whoever is slower than the reference.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "../filling/temporary.ts";
import { type Core, command, nodeCommand } from "../processes.ts";
import { type LoadRequest, rawRequest } from "./requests.ts";

const run = promisify(execFile);

export interface LoadFigures {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface Load {
  /** Loads one server for a slice. Fails when a request was lost or, against expectation, refused or served. */
  slice(url: string, connections: number, seconds: number): Promise<LoadFigures>;
  remove(): Promise<void>;
}

export interface LoadOptions {
  /** As the requests name it. */
  host?: string;
  /** Every request has to be refused, instead of none. */
  refused?: boolean;
}

export interface LoadGenerator {
  name: "wrk" | "autocannon";
  prepare(requests: readonly LoadRequest[], options?: LoadOptions): Promise<Load>;
}

interface RawFigures {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  refused: number;
  failed: number;
}

const graceSeconds = 30;
const outputBytesMax = 1 << 20;

export function findGenerator(core: Core, path = process.env.PATH ?? ""): LoadGenerator {
  const wrk = path.split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, "wrk")));
  return wrk ? wrkGenerator(core) : autocannonGenerator(core);
}

function wrkGenerator(core: Core): LoadGenerator {
  const script = fileURLToPath(new URL("../wrk.lua", import.meta.url));
  return {
    name: "wrk",
    prepare(requests, { host = "127.0.0.1", refused = false } = {}) {
      return prepared(
        wireText(requests, host),
        (file, url, connections, seconds) => [
          "wrk",
          ...["-t", "1", "-c", String(connections), "-d", `${seconds}s`, "--timeout", "10s"],
          ...["--latency", "-s", script, url, "--", file],
        ],
        core,
        refused,
      );
    },
  };
}

function autocannonGenerator(core: Core): LoadGenerator {
  return {
    name: "autocannon",
    prepare(requests, { refused = false } = {}) {
      return prepared(JSON.stringify(requests), byProgram("bench/load/autocannon-slice.ts"), core, refused);
    },
  };
}

/** For the tail of servers that are slow to take connections in: `open-connections-slice.ts` says why. */
export function openConnectionsLoad(requests: readonly LoadRequest[], core: Core): Promise<Load> {
  return prepared(
    wireText(requests, "127.0.0.1"),
    byProgram("bench/load/open-connections-slice.ts"),
    core,
    false,
  );
}

/** Not everything was answered as it should be: the figures of such a slice say nothing. */
export class Refused extends Error {
  override name = "Refused";
}

/** Each request as it goes over the wire, ended by a zero byte. */
function wireText(requests: readonly LoadRequest[], host: string): string {
  return requests.map((request) => `${rawRequest(request, host)}\0`).join("");
}

type CommandOf = (
  file: string,
  url: string,
  connections: number,
  seconds: number,
) => string[] | Promise<string[]>;

function byProgram(script: string): CommandOf {
  return (file, url, connections, seconds) =>
    nodeCommand({ script, args: [file, url, String(connections), String(seconds)] });
}

async function prepared(text: string, commandOf: CommandOf, core: Core, isRefused: boolean): Promise<Load> {
  const folder = await temporaryFolder("load");
  const file = join(folder.path, "requests");
  await writeFile(file, text);
  return {
    async slice(url, connections, seconds) {
      const [program, ...args] = command(await commandOf(file, url, connections, seconds), core);
      const { stdout } = await run(program!, args, {
        timeout: (seconds + graceSeconds) * 1_000,
        maxBuffer: outputBytesMax,
      });
      return checked(stdout, url, isRefused);
    },
    remove: folder.remove,
  };
}

function checked(output: string, url: string, isRefused: boolean): LoadFigures {
  const line = output.split("\n").find((text) => text.startsWith("figures "));
  if (line === undefined) throw new Error(`the load on ${url} gave no figures: ${output.slice(-500)}`);
  const { requests, seconds, p50, p99, refused, failed } = JSON.parse(line.slice(8)) as RawFigures;
  if (refused !== (isRefused ? requests : 0) || failed > 0) {
    throw new Refused(`of ${requests} requests to ${url} ${refused} were refused and ${failed} failed`);
  }
  if (requests === 0) throw new Error(`${url} answered nothing`);
  return { perSecond: requests / seconds, p50, p99 };
}
