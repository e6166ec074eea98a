/** The operator's command line: the admin API from a terminal. */
import { parseArgs } from "node:util";
import { AdminClient, AdminError } from "./admin/client.ts";
import { commands, findCommand, usage } from "./admin/commands.ts";
import { print } from "./admin/print.ts";

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
    },
  });
  const command = findCommand(positionals);
  if (values.help || positionals.length === 0) {
    console.log(usage(command === null ? commands : [command]));
    return;
  }
  if (command === null) throw new AdminError(`there is no command "${positionals.join(" ")}"; see --help`);
  const given = positionals.slice(command.words.length);
  if (given.length !== command.takes.length) {
    throw new AdminError(
      `"${command.words.join(" ")}" takes ${command.takes.join(" ") || "nothing more"}; see --help`,
    );
  }
  const result = await command.run(new AdminClient(process.env, values.url), given, values);
  print(result, values.json === true);
}

main(process.argv.slice(2)).catch((cause: NodeJS.ErrnoException) => {
  const expected = cause instanceof AdminError || cause.code?.startsWith("ERR_PARSE_ARGS") === true;
  console.error(expected ? `qrelay admin: ${cause.message}` : cause);
  process.exit(expected ? 2 : 1);
});
