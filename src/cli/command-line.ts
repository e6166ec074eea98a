/**
 * The command line: every command and option is declared once, with commander, which parses by the declarations
 * and hands them to the help.
 *
 * What a command needs is loaded when it runs: the operator's commands wait for no store and no HTTP engine.
 * Commander's own messages do not name the command, so its errors are put into our words.
 */
import { Command, type CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { declareAdmin, declareStore } from "./admin-commands.ts";
import { CommandError, UsageError } from "./command-error.ts";
import { configurationHelp } from "./configuration-help.ts";
import { everyCommand, formatHelp, takenBy, wordsOf } from "./help.ts";

/** Does what the arguments ask for; without any, it starts the service. Ends the process when that fails. */
export async function run(args: string[]): Promise<void> {
  try {
    await commandLine().parseAsync(args.length === 0 ? ["start"] : args, { from: "user" });
  } catch (cause) {
    if (!(cause instanceof CommandError)) console.error(cause);
    else console.error(`${args[0] === "admin" ? "qrelay admin" : "qrelay"}: ${cause.message}`);
    process.exit(cause instanceof CommandError ? cause.exitCode : 1);
  }
}

export function commandLine(): Command {
  const program = new Command("qrelay")
    .description("dynamic QR codes and the short links behind them")
    .configureHelp({ formatHelp, showGlobalOptions: true })
    .configureOutput({ writeErr() {} })
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .helpOption("-h, --help", "show this text, or that of one command")
    .version(`qrelay ${manifest.version}`, "--version", "show the version")
    .addHelpText("after", configurationHelp);
  program
    .command("start")
    .description("start the service; so does qrelay alone")
    .addHelpText("after", configurationHelp)
    .action(async () => {
      // Before the service is loaded: where it breaks is told in lines of its sources.
      process.setSourceMapsEnabled(true);
      const { start } = await import("./start.ts");
      await start();
    });
  declareAdmin(program);
  declareStore(program);
  for (const command of everyCommand(program)) command.exitOverride((error) => refuse(command, error));
  return program;
}

/** Returns where commander may end the process by itself, with 0. */
function refuse(command: Command, error: CommanderError): void {
  if (error.exitCode === 0) return;
  if (error.code === "commander.help" && command.name() === "admin") {
    command.outputHelp();
    process.exit(0);
  }
  // To whoever starts the service a wrong word is like a wrong variable: it did not start.
  const isOfService = command.parent === null || command.name() === "start";
  throw new UsageError(`${problem(command, error)}; see --help`, isOfService ? 1 : 2);
}

function problem(command: Command, { code, message }: CommanderError): string {
  const words = wordsOf(command);
  const name = `"${words.join(" ")}"`;
  switch (code) {
    case "commander.unknownOption": {
      const option = /'(.*)'/.exec(message)?.[1];
      return words.length === 0 ? `${option} is not an option` : `${name} has no option ${option}`;
    }
    case "commander.missingArgument":
    case "commander.excessArguments":
      return `${name} takes ${takenBy(command).join(" ") || "nothing more"}`;
    case "commander.unknownCommand":
    case "commander.help":
      return `there is no command "${[...words, ...command.args].join(" ")}"`;
    default:
      return message.replace(/^error: /, "");
  }
}
