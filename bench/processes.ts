/** The processes that are measured: each fresh, pinned to a core where that is possible, and always ended. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Compiled, compile } from "../scripts/compile.ts";

/** As `taskset` takes it. Null where processes cannot be pinned. */
export type Core = string | null;

export interface Cores {
  server: Core;
  load: Core;
  all: Core;
}

export interface Server {
  url: string;
  pid: number;
  /** From the start of the process to the ready line. */
  readyMs: number;
  /** By default in good order; `kill` when nothing it stores is wanted any more. */
  stop(how?: "kill"): Promise<void>;
  /** Does nothing at all, not even what it has left to do by itself, until it is resumed. */
  pause(): void;
  resume(): void;
}

export interface Program {
  /** Seen from the project's folder. */
  script: string;
  nodeOptions?: string[];
  /** Loaded before it; seen from the project's folder too. */
  preloads?: string[];
  args?: string[];
  env?: Record<string, string>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const readyMsMax = 120_000;
const stopMsMax = 15_000;
/** The unit of times under /proc, the same on every Linux that Node runs on. */
const clockTicks = 100;
const keptErrorChars = 4_000;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

export function findCores(): Cores {
  const count = availableParallelism();
  if (count < 2 || !canPinTo("0,1")) return { server: null, load: null, all: null };
  return { server: "0", load: "1", all: `0-${count - 1}` };
}

/** This process paces requests and warms servers up: it must not take time from the server's core. */
export function pinSelf(core: Core): void {
  if (core === null) return;
  execFileSync("taskset", ["-a", "-c", "-p", core, String(process.pid)], { stdio: "ignore" });
}

export function command(words: readonly string[], core: Core): string[] {
  return core === null ? [...words] : ["taskset", "-c", core, ...words];
}

export async function nodeCommand(program: Program): Promise<string[]> {
  const { script, nodeOptions = [], preloads = [], args = [] } = program;
  const before = await Promise.all(preloads.map(async (file) => ["--import", await runnable(file)]));
  // What is no part of the bench is a program of somebody who wants it as it is.
  const isSource = script.endsWith(".ts") && !script.startsWith(ownFolder);
  const loader = isSource ? ["--import", "tsx"] : [];
  return [process.execPath, ...nodeOptions, ...before.flat(), ...loader, await runnable(script), ...args];
}

const ownFolder = "bench/";
let compiled: Promise<Compiled> | null = null;

/** Programs of the bench are compiled: each is started many times, and none is to be measured with a loader in it. */
async function runnable(script: string): Promise<string> {
  if (!script.startsWith(ownFolder)) return script;
  compiled ??= compileOwn();
  return (await compiled).fileOf(join(root, script));
}

async function compileOwn(): Promise<Compiled> {
  const own = ["servers", "load"].flatMap((folder) =>
    readdirSync(join(root, ownFolder, folder)).map((name) => join(root, ownFolder, folder, name)),
  );
  const made = await compile(root, own);
  process.once("exit", made.remove);
  return made;
}

/** Starts a server that says `listening on URL` when it is ready, or `standing by on URL` beside others. */
export async function startServer(program: Program, core: Core): Promise<Server> {
  const [file, ...args] = command(await nodeCommand(program), core);
  const began = performance.now();
  const child = spawn(file!, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", ...program.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit").finally(() => running.delete(child));
  exited.catch(() => {});
  const url = await readyLine(child, program.script);
  return {
    url,
    pid: child.pid!,
    readyMs: performance.now() - began,
    async stop(how) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(how === "kill" ? "SIGKILL" : "SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
      await exited;
      clearTimeout(late);
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

/** For a paused server: it runs for this alone. */
export async function resumed<T>(server: Server, run: () => Promise<T>): Promise<T> {
  server.resume();
  try {
    return await run();
  } finally {
    server.pause();
  }
}

/** What is compared with each other: both become ready meanwhile. */
export async function startServers(
  programs: readonly [Program, Program],
  core: Core,
): Promise<[Server, Server]> {
  const [first, second] = programs.map((program) => startServer(program, core));
  return [await first!, await second!];
}

function readyLine(child: ChildProcess, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    let complained = "";
    const fail = (why: string) => {
      child.kill("SIGKILL");
      reject(new Error(`${script} ${why}: ${(complained || said).slice(-keptErrorChars)}`));
    };
    const late = setTimeout(() => fail("was not ready in time"), readyMsMax);
    child.stderr!.on("data", (bytes) => {
      complained = (complained + bytes).slice(-keptErrorChars);
    });
    child.stdout!.on("data", (bytes) => {
      said = (said + bytes).slice(-keptErrorChars);
      const url = /(?:listening|standing by) on (http:\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve(url);
    });
    child.once("error", (cause) => fail(cause.message));
    child.once("exit", (code) => {
      clearTimeout(late);
      fail(`ended with code ${code}`);
    });
  });
}

/** A program that answers every line with one of JSON. */
export interface Teller<T> {
  tell(line?: string): Promise<T>;
  stop(): void;
}

export async function startTeller<T>(program: Program, core: Core): Promise<Teller<T>> {
  const [file, ...args] = command(await nodeCommand(program), core);
  const child = spawn(file!, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async tell(line = "") {
      child.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program.script} has ended`);
      return JSON.parse(value) as T;
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** Memory of a process that is resident and backed by no file: pages of the store's map are the system's cache. */
export function residentBytes(pid: number): number {
  const kib = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kib === undefined) throw new Error("this system does not tell the resident memory of a process");
  return Number(kib) * 1024;
}

/** Processor time that a process has used; not a number where the system does not tell. */
export function processorSeconds(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(afterName[11]) + Number(afterName[12])) / clockTicks;
}

function canPinTo(cores: string): boolean {
  try {
    execFileSync("taskset", ["-c", cores, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
