/** The service as a process of its own, as an operator starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { programArguments } from "./built.ts";
import { endsWithTest } from "./endings.ts";
import { engineEnv } from "./engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface ServiceProcess {
  child: ChildProcess;
  output(): string;
  errors(): string;
  /** Resolves with the address that the ready line names. */
  ready(): Promise<string>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Nothing of the surroundings reaches the service, but that its coverage may be wanted. */
function inherited(): Record<string, string> {
  const { PATH = "", NODE_V8_COVERAGE } = process.env;
  return { PATH, ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }) };
}

/**
 * Killed with the test, or the file, that started it, unless it has ended before. `filesMax` is what it may have
 * open, when it is not to have what this process has.
 */
export function spawnService(
  env: Record<string, string>,
  args: string[] = [],
  filesMax?: number,
): ServiceProcess {
  const limit = filesMax === undefined ? "" : `ulimit -n ${filesMax} && `;
  const shell = ["-c", `${limit}exec "$@"`, "sh", process.execPath];
  const child = spawn("/bin/sh", [...shell, ...programArguments(), ...args], {
    cwd: root,
    env: { ...inherited(), RENDER_THREADS: "1", ...engineEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  endsWithTest(async () => {
    // A stopped one hears of nothing else.
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await exited;
  });
  const readyLine = /^qrelay listening on (http:\/\/\S+)$/m;
  const ready = () =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const address = readyLine.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      };
      child.stdout.on("data", look);
      look();
      void exited.then(() => reject(new Error(`the service ended before it was ready: ${output}${errors}`)));
    });
  return { child, output: () => output, errors: () => errors, ready, exited };
}
