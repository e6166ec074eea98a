/** The command line of the bench suite. */
import type { EngineName } from "../src/engine/engine.ts";
import { uwsMissing } from "./engines.ts";
import { parsed, UsageError, whole } from "./usage.ts";

export const benchNames = [
  "redirect",
  "interference",
  "api",
  "render",
  "start",
  "memory",
  "turns",
  "analytics",
  "metrics",
  "sqlite",
  "mongodb",
  "cluster",
] as const;
export type BenchName = (typeof benchNames)[number];

/** The benches that only need an address to send requests to. */
export const benchesOfTarget: readonly BenchName[] = ["redirect", "api"];

export interface BenchOptions {
  benches: BenchName[];
  connections: number[];
  /** Of one slice. */
  seconds: number;
  rounds: number;
  /** Comparisons that one round of fresh processes gives. */
  pairs: number;
  /** Links stored. */
  links: number;
  /** Different links that the load asks for. */
  hot: number;
  /** Those of them that load are measured. */
  engines: EngineName[];
  /** Only what has a target, and without starting a MongoDB: the table in as little time as it can be had. */
  isBrief: boolean;
  target: string | null;
  key: string | null;
  slugsFile: string | null;
  jsonFile: string | null;
  plotFile: string | null;
}

const engineNames: readonly EngineName[] = ["uws", "node"];

const thorough = { links: 1_000_000, hot: 100_000, rounds: 5, pairs: 2, seconds: 2, connections: "64,256" };
const quick = { links: 100_000, hot: 4_000, rounds: 1, pairs: 1, seconds: 1, connections: "64" };

export const usage = `Measures qrelay against bare servers and peers on this machine.

Usage: npm run bench                          all benches
       npm run bench -- redirect [options]    one of them, or several: ${benchNames.join(", ")}

  --quick              one comparison, slices of 1 s, 64 connections, 100000 links, the engine that npm start
                       takes; other options still hold. Of all benches it shows what has a target, and starts no
                       MongoDB; a bench that is named shows all it has
  --engine NAME[,NAME] redirect and api: ${engineNames.join(", ")} (all that load)
  --connections N[,N]  connections of the load (redirect: 64,256; others: 64)
  --seconds N          length of one slice (2)
  --rounds N           rounds of fresh processes (5); each gives two comparisons
  --links N            links stored (1000000)
  --hot N              different links that are scanned (100000)
  --target URL         load a running instance, without a reference: redirect and api only
  --slugs FILE         redirect on a target: the slugs to scan, one a line
  --key KEY            API key on the target (or QRELAY_KEY); without --slugs its account's codes are scanned
  --json FILE          write the figures
  --plot FILE.svg      draw them
  --help               show this text

The load comes from wrk where it is installed, otherwise from autocannon. With taskset and two cores the
server gets one core and the load the other. Links are stored once and kept in the system's folder for
temporary files. The mongodb and cluster benches use the server of MONGODB_URL, or start one; the sqlite bench
needs better-sqlite3, which npm install --no-save better-sqlite3 adds. What the host of a virtual machine disturbed is
measured again, within bounds, but not with --quick. A missed target is no error: the exit code is 0.
`;

const optionNames = [
  ...(["engine", "connections", "seconds", "rounds", "links", "hot"] as const),
  ...(["target", "slugs", "key", "json", "plot"] as const),
];

/** Null when only the help is wanted. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv = {}): BenchOptions | null {
  const { values, positionals } = parsed(args, ["quick"], optionNames, true);
  if (values.help) return null;
  const target = values.target === undefined ? null : origin(values.target);
  const benches = positionals.length > 0 ? positionals.map(benchName) : defaultBenches(target);
  if (target !== null) refuseOwnServer(benches);
  const usual = values.quick ? quick : thorough;
  const links = whole("links", values.links, usual.links, 10, 16_000_000);
  return {
    benches: [...new Set(benches)],
    connections: connectionCounts(values.connections ?? usual.connections),
    seconds: whole("seconds", values.seconds, usual.seconds, 1, 3_600),
    rounds: whole("rounds", values.rounds, usual.rounds, 1, 1_000),
    pairs: usual.pairs,
    links,
    hot: whole("hot", values.hot, Math.min(usual.hot, Math.floor(links / 4)), 1, Math.floor(links / 2)),
    engines: enginesAsked(values.engine, values.quick === true),
    isBrief: values.quick === true && positionals.length === 0,
    target,
    key: values.key ?? env.QRELAY_KEY ?? null,
    slugsFile: values.slugs ?? null,
    jsonFile: values.json ?? null,
    plotFile: values.plot ?? null,
  };
}

function defaultBenches(target: string | null): BenchName[] {
  return target === null ? [...benchNames] : ["redirect"];
}

function benchName(name: string): BenchName {
  const found = benchNames.find((known) => known === name);
  if (found === undefined) throw new UsageError(`there is no bench ${name}: ${benchNames.join(", ")}`);
  return found;
}

function refuseOwnServer(benches: readonly BenchName[]): void {
  const other = benches.find((name) => !benchesOfTarget.includes(name));
  if (other !== undefined)
    throw new UsageError(`--target does not go with ${other}: it starts its own server`);
}

function enginesAsked(names: string | undefined, isQuick: boolean): EngineName[] {
  if (names !== undefined) return names.split(",").map(engineName);
  return isQuick ? [uwsMissing() === null ? "uws" : "node"] : [...engineNames];
}

function engineName(name: string): EngineName {
  const found = engineNames.find((known) => known === name);
  if (found === undefined) throw new UsageError(`there is no engine ${name}: ${engineNames.join(", ")}`);
  return found;
}

function connectionCounts(text: string): number[] {
  return text.split(",").map((part) => whole("connections", part, 0, 1, 10_000));
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== "http:" || url.pathname !== "/") {
    throw new UsageError(`--target ${text} is not usable: it must be an origin like http://127.0.0.1:3000`);
  }
  return url.origin;
}
