/** The operator's command line: the admin API from a terminal. */
import { parseArgs } from "node:util";
import { optionProblem } from "../../scripts/command-line.ts";
import { AdminClient, AdminError, UsageError } from "./admin-client.ts";
import { commandsUnder, findCommand, optionNames, usage } from "./admin-commands.ts";
import { print } from "./print.ts";

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: true,
    options: {
      help: { type: "boolean", short: "h" },
      json: { type: "boolean" },
      url: { type: "string" },
      name: { type: "string" },
      plan: { type: "string" },
      timezone: { type: "string" },
      "api-access": { type: "string" },
      limit: { type: "string", multiple: true },
      from: { type: "string" },
      to: { type: "string" },
    },
  });
  const command = findCommand(positionals);
  if (values.help || positionals.length === 0) {
    console.log(usage(command === null ? commandsUnder(positionals) : [command]));
    return;
  }
  if (command === null) throw new UsageError(`there is no command "${positionals.join(" ")}"; see --help`);
  const given = positionals.slice(command.words.length);
  if (given.length !== command.takes.length) {
    throw new UsageError(
      `"${command.words.join(" ")}" takes ${command.takes.join(" ") || "nothing more"}; see --help`,
    );
  }
  const known = new Set(["json", "url", ...optionNames(command)]);
  const foreign = Object.keys(values).find((name) => !known.has(name));
  if (foreign !== undefined) {
    throw new UsageError(`"${command.words.join(" ")}" has no option --${foreign}; see --help`);
  }
  const result = await command.run(new AdminClient(process.env, values.url), given, values);
  print(result, values.json === true);
}

main(process.argv.slice(2)).catch((cause: NodeJS.ErrnoException) => {
  const misspelt = cause.code?.startsWith("ERR_PARSE_ARGS") === true;
  const expected = misspelt || cause instanceof AdminError;
  const message = misspelt ? `${optionProblem(cause)}; see --help` : cause.message;
  console.error(expected ? `qrelay admin: ${message}` : cause);
  process.exit(misspelt ? 2 : cause instanceof AdminError ? cause.exitCode : 1);
});
