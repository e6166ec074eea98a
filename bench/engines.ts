/** The HTTP engines that are measured: those that load here, each against a bare server of its own kind. */
import type { EngineName } from "../src/engine/engine.ts";
import { loadUws } from "../src/engine/uws/library.ts";
import type { BenchContext } from "./bench.ts";
import type { Program } from "./processes.ts";

export interface BenchedEngine {
  name: EngineName;
  /** What its bare server is called in the table. */
  bareName: string;
  /** Constant answers and nothing else. */
  bare(env?: Record<string, string>): Program;
}

const engines: readonly BenchedEngine[] = [
  { name: "uws", bareName: "bare uWS", bare: (env) => ({ script: "bench/servers/bare-uws.ts", env }) },
  {
    name: "node",
    bareName: "bare node:http",
    bare: (env) => ({ script: "bench/servers/bare-node.ts", env }),
  },
];

/** Those that were asked for and load on this machine; what is left out is said. */
export function enginesOf({ options, note }: Pick<BenchContext, "options" | "note">): BenchedEngine[] {
  const missing = uwsMissing();
  return engines.filter(({ name }) => {
    if (!options.engines.includes(name)) return false;
    if (name !== "uws" || missing === null) return true;
    note(`the uws engine is left out: ${missing}`);
    return false;
  });
}

/** Why uWebSockets.js does not load on this machine; null where it does. */
export function uwsMissing(): string | null {
  try {
    loadUws();
    return null;
  } catch (cause) {
    return (cause as Error).message;
  }
}
