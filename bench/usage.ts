import { parseArgs } from "node:util";
import { optionProblem } from "../scripts/command-line.ts";

export class UsageError extends Error {
  override name = "UsageError";
}

/** The command line, of flags and of options that have a value; `--help` and `-h` are flags of all. */
export function parsed<Flag extends string, Option extends string>(
  args: readonly string[],
  flags: readonly Flag[],
  options: readonly Option[],
  allowPositionals = false,
): { values: { [N in Flag | "help"]?: boolean } & { [N in Option]?: string }; positionals: string[] } {
  const known = [
    ["help", { type: "boolean", short: "h" }],
    ...flags.map((name) => [name, { type: "boolean" }]),
    ...options.map((name) => [name, { type: "string" }]),
  ];
  try {
    return parseArgs({ args: [...args], allowPositionals, options: Object.fromEntries(known) }) as never;
  } catch (cause) {
    throw new UsageError(optionProblem(cause as Error));
  }
}

/** The value of an option of a command line, or what it is without one. */
export function whole(
  name: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} ${text} is not usable: it must be a whole number from ${least} to ${most}`);
}
