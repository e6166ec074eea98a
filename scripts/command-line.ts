/** What all scripts do alike with their command lines: help when it is asked for, one line when something is wrong. */
import { type ParseArgsConfig, parseArgs } from "node:util";

const usageExitCode = 2;

/** Reads the arguments of this process; `--help` and `-h` are every script's. */
export function readCommandLine<Config extends ParseArgsConfig>(
  script: string,
  usage: string,
  config: Config,
) {
  const { values } = parsed(script, { ...config, strict: false, allowPositionals: true });
  if (values.help === true || values.h === true) {
    console.log(usage.trimEnd());
    process.exit(0);
  }
  return parsed(script, config);
}

function parsed<Config extends ParseArgsConfig>(script: string, config: Config) {
  try {
    return parseArgs(config);
  } catch (cause) {
    return refuseCommandLine(script, optionProblem(cause as Error));
  }
}

/** Ends the process with one line and the exit code of a command that was not understood. */
export function refuseCommandLine(script: string, problem: string): never {
  console.error(`qrelay ${script}: ${problem}; see --help`);
  process.exit(usageExitCode);
}

/** What Node says of a wrong option, without its advice. */
export function optionProblem(cause: Error): string {
  return cause.message.split(/\.\s|\n/)[0]!.replace(/\.$/, "");
}
