import { limitNames } from "../domain/account/plans.ts";
import { type AdminClient, type Json, UsageError } from "./admin-client.ts";
import { storeCopy } from "./store-copy/store-copy.ts";

export interface Options {
  name?: string;
  plan?: string;
  timezone?: string;
  "api-access"?: string;
  limit?: string[];
  from?: string;
  to?: string;
}

export interface Command {
  words: string[];
  /** Names of what follows the words. */
  takes: string[];
  options: string[];
  about: string;
  run(client: AdminClient, given: string[], options: Options): Promise<Json | Json[]>;
}

const accounts = "/admin/v1/accounts";
const knownLimits: readonly string[] = limitNames;

/** The path of something that belongs to an account. */
function under(account: string | undefined, ...rest: (string | undefined)[]): string {
  return [accounts, ...[account, ...rest].map((part) => encodeURIComponent(part ?? ""))].join("/");
}

export const commands: Command[] = [
  {
    words: ["account", "create"],
    takes: ["NAME"],
    options: ["--plan PLAN", "--timezone ZONE"],
    about: "create an account with its default project",
    run: (client, [name], { plan, timezone }) => client.call("POST", accounts, { name, plan, timezone }),
  },
  {
    words: ["account", "list"],
    takes: [],
    options: [],
    about: "list all accounts",
    run: (client) => client.items(accounts),
  },
  {
    words: ["account", "show"],
    takes: ["ACCOUNT"],
    options: [],
    about: "show an account with its limits and usage",
    run: (client, [id]) => client.call("GET", under(id)),
  },
  {
    words: ["account", "set"],
    takes: ["ACCOUNT"],
    options: [
      "--name NAME",
      "--plan PLAN",
      "--timezone ZONE",
      "--api-access on|off",
      "--limit NAME=NUMBER|plan ...",
    ],
    about: "change an account; --limit NAME=plan gives the limit of the plan back",
    run: (client, [id], options) => client.call("PATCH", under(id), accountChanges(options)),
  },
  {
    words: ["key", "create"],
    takes: ["ACCOUNT"],
    options: ["--name NAME"],
    about: "make an API key; it is shown this once",
    run: (client, [id], { name }) => client.call("POST", under(id, "keys"), { name }),
  },
  {
    words: ["key", "list"],
    takes: ["ACCOUNT"],
    options: [],
    about: "list the keys of an account",
    run: (client, [id]) => client.items(under(id, "keys")),
  },
  {
    words: ["key", "revoke"],
    takes: ["ACCOUNT", "KEY"],
    options: [],
    about: "revoke a key, at once and for good",
    run: (client, [id, key]) => client.call("DELETE", under(id, "keys", key)),
  },
  {
    words: ["project", "list"],
    takes: ["ACCOUNT"],
    options: [],
    about: "list the projects of an account",
    run: (client, [id]) => client.items(under(id, "projects")),
  },
  {
    words: ["project", "archive"],
    takes: ["ACCOUNT", "PROJECT"],
    options: [],
    about: "archive a project: its links stop with the next scan",
    run: (client, [id, project]) => client.call("PATCH", under(id, "projects", project), { archived: true }),
  },
  {
    words: ["project", "unarchive"],
    takes: ["ACCOUNT", "PROJECT"],
    options: [],
    about: "bring an archived project back",
    run: (client, [id, project]) => client.call("PATCH", under(id, "projects", project), { archived: false }),
  },
  {
    words: ["code", "unblock"],
    takes: ["ACCOUNT", "CODE"],
    options: [],
    about: "put a blocked code back into service, when its targets are safe again",
    run: (client, [id, code]) => client.call("POST", under(id, "qr-codes", code, "unblock")),
  },
  {
    words: ["safety", "rescan"],
    takes: [],
    options: [],
    about: "block every code that leads somewhere unsafe, let go those that do not any more",
    run: (client) => client.call("POST", "/admin/v1/safety/rescan"),
  },
  {
    words: ["store", "copy"],
    takes: [],
    options: ["--from STORE", "--to STORE"],
    about: "copy everything to another store: lmdb:DATA_DIR or mongodb://…; stop the service first",
    run: (_client, _given, { from, to }) => storeCopy(from, to),
  },
];

/** The names of the options that a command knows, without the dashes. */
export function optionNames(command: Command): string[] {
  return command.options.map((option) => option.split(" ")[0]!.slice(2));
}

export function findCommand(words: string[]): Command | null {
  return commands.find((command) => command.words.every((word, at) => words[at] === word)) ?? null;
}

/** The commands that begin with these words; all of them when none does. */
export function commandsUnder(words: string[]): Command[] {
  const found = commands.filter((command) => words.every((word, at) => command.words[at] === word));
  return found.length > 0 ? found : commands;
}

export function usage(shown: Command[]): string {
  const lines = shown.flatMap(({ words, takes, options, about }) => [
    `  ${[...words, ...takes, ...options.map((option) => `[${option}]`)].join(" ")}`,
    `      ${about}`,
  ]);
  return `Usage: npm run admin -- COMMAND

${lines.join("\n")}

  --json       print JSON instead of a table
  --url URL    the service's address (http://HOST:PORT)
  --help       show this text, or that of one command

The admin token is read from ADMIN_TOKEN or from DATA_DIR/admin-token.
Exit code 0: done; 1: the service refused or did not answer; 2: the command was not understood.`;
}

function accountChanges(options: Options): Json {
  const { name, plan, timezone, limit } = options;
  const access = options["api-access"];
  if (access !== undefined && access !== "on" && access !== "off") {
    throw new UsageError(`--api-access ${access}: it must be on or off`);
  }
  const changes = {
    ...(name !== undefined && { name }),
    ...(plan !== undefined && { plan }),
    ...(timezone !== undefined && { timezone }),
    ...(access !== undefined && { api_access: access === "on" }),
    ...(limit !== undefined && { limits: limitsOf(limit) }),
  };
  if (Object.keys(changes).length === 0)
    throw new UsageError("nothing to change: give an option; see --help");
  return changes;
}

function limitsOf(given: string[]): Record<string, number | null> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^(\w+)=(\d+|plan)$/.exec(text) ?? [];
      if (name === undefined || !knownLimits.includes(name)) {
        const names = knownLimits.join(", ");
        throw new UsageError(`--limit ${text}: it must be NAME=NUMBER or NAME=plan, NAME one of ${names}`);
      }
      return [name, value === "plan" ? null : Number(value)];
    }),
  );
}
