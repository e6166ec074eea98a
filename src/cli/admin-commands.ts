/** The admin API from a terminal: what the operator may ask of a running service. */
import type { Command } from "commander";
import { limitNames } from "../domain/account/plans.ts";
import { AdminClient, type Json } from "./admin-client.ts";
import { CommandError, UsageError } from "./command-error.ts";
import { print, table } from "./print.ts";

interface Options {
  name?: string;
  plan?: string;
  timezone?: string;
  apiAccess?: boolean;
  limit?: Record<string, number | null>;
  role?: string;
}

interface GlobalOptions {
  url?: string;
  json?: boolean;
}

const accounts = "/admin/v1/accounts";

function under(account: string | undefined, ...rest: (string | undefined)[]): string {
  return [accounts, ...[account, ...rest].map((part) => encodeURIComponent(part ?? ""))].join("/");
}

function asking(ask: (client: AdminClient, given: string[], options: Options) => Promise<Json | Json[]>) {
  return async function (this: Command): Promise<void> {
    const { url, json } = this.optsWithGlobals<GlobalOptions>();
    print(await ask(new AdminClient(process.env, url), this.args, this.opts<Options>()), json === true);
  };
}

export function declareAdmin(program: Command): void {
  const admin = program
    .command("admin")
    .description(
      "accounts, keys, users, projects, safety and members of a running service; see qrelay admin --help",
    )
    .option("--json", "print JSON instead of a table")
    .option("--url <URL>", "the service's address (http://HOST:PORT)")
    .addHelpText(
      "afterAll",
      `
The admin token is read from ADMIN_TOKEN or from DATA_DIR/admin-token.
Exit code 0: done; 1: the service refused or did not answer; 2: the command was not understood.`,
    );
  declareAccount(admin);
  declareKey(admin);
  declareUser(admin);
  declareProject(admin);
  admin
    .command("code")
    .command("unblock <ACCOUNT> <CODE>")
    .description("put a blocked code back into service, when its targets are safe again")
    .action(asking((client, [id, code]) => client.call("POST", under(id, "qr-codes", code, "unblock"))));
  admin
    .command("safety")
    .command("rescan")
    .description("block every code that leads somewhere unsafe, let go those that do not any more")
    .action(asking((client) => client.call("POST", "/admin/v1/safety/rescan")));
  declareCluster(admin);
  declareStore(admin);
}

/** Also a command of its own: it needs no service. */
export function declareStore(program: Command): void {
  program
    .command("store")
    .option("--json", "print JSON instead of a table")
    .command("copy")
    .description("copy everything to another store: lmdb:DATA_DIR or mongodb://…; stop the service first")
    .option("--from <STORE>", "what is copied")
    .option("--to <STORE>", "where it goes: an empty store, or one that such a copy was cut short in")
    .action(async function (this: Command) {
      const { from, to, json } = this.optsWithGlobals<{ from?: string; to?: string; json?: boolean }>();
      const { storeCopy } = await import("./store-copy/store-copy.ts");
      print(await storeCopy(from, to), json === true);
    });
}

function declareCluster(admin: Command): void {
  admin
    .command("cluster")
    .command("status")
    .description("show the processes that work on the database, the owner first")
    .action(async function (this: Command): Promise<void> {
      const { url, json } = this.optsWithGlobals<GlobalOptions>();
      const status = await new AdminClient(process.env, url).call("GET", "/admin/v1/cluster");
      if (json) print(status, true);
      else console.log(clusterInWords(status));
    });
}

/** The members as a table, and below it what an operator may wonder about. */
function clusterInWords({ enabled, members, to_fold, awaited }: Json): string {
  const lines = [table(members as Json[]), ""];
  if (enabled !== true) {
    lines.push(
      "CLUSTER is off: this process works alone. Others on its database stand by, and say so at /readyz.",
    );
  }
  lines.push(
    `Former members whose counts are stored and not yet folded: ${String(to_fold)}`,
    `Former members whose journals are waited for: ${String(awaited)}`,
  );
  return lines.join("\n");
}

function declareAccount(admin: Command): void {
  const account = admin.command("account");
  account
    .command("create <NAME>")
    .description("create an account with its default project")
    .option("--plan <PLAN>", "what it may do")
    .option("--timezone <ZONE>", "of its days, like Europe/Berlin")
    .action(
      asking((client, [name], { plan, timezone }) => client.call("POST", accounts, { name, plan, timezone })),
    );
  account
    .command("list")
    .description("list all accounts")
    .action(asking((client) => client.items(accounts)));
  account
    .command("show <ACCOUNT>")
    .description("show an account with its limits and usage")
    .action(asking((client, [id]) => client.call("GET", under(id))));
  account
    .command("set <ACCOUNT>")
    .description("change an account; --limit NAME=plan gives the limit of the plan back")
    .option("--name <NAME>", "what it is called")
    .option("--plan <PLAN>", "what it may do")
    .option("--timezone <ZONE>", "of its days, like Europe/Berlin")
    .option("--api-access <on|off>", "whether its keys are taken", parseSwitch)
    .option("--limit <NAME=NUMBER|plan ...>", `another limit: ${limitNames.join(", ")}`, addLimit)
    .action(asking((client, [id], options) => client.call("PATCH", under(id), accountChanges(options))));
}

function declareKey(admin: Command): void {
  const key = admin.command("key");
  key
    .command("create <ACCOUNT>")
    .description("make an API key; it is shown this once")
    .option("--name <NAME>", "what it is called")
    .action(asking((client, [id], { name }) => client.call("POST", under(id, "keys"), { name })));
  key
    .command("list <ACCOUNT>")
    .description("list the keys of an account")
    .action(asking((client, [id]) => client.items(under(id, "keys"))));
  key
    .command("rename <ACCOUNT> <KEY> <NAME>")
    .description("call a key something else")
    .action(asking((client, [id, key, name]) => client.call("PATCH", under(id, "keys", key), { name })));
  key
    .command("revoke <ACCOUNT> <KEY>")
    .description("revoke a key, at once and for good")
    .action(asking((client, [id, key]) => client.call("DELETE", under(id, "keys", key))));
}

function declareUser(admin: Command): void {
  const user = admin.command("user");
  user
    .command("create <ACCOUNT> <EMAIL>")
    .description("let somebody sign in to the dashboard; the link to set a password is shown this once")
    .option("--role <owner|member>", "owner (the default), or member: sees no keys and no users", parseRole)
    .action(
      asking((client, [id, email], { role = "owner" }) =>
        client.call("POST", under(id, "users"), { email, role }),
      ),
    );
  user
    .command("list <ACCOUNT>")
    .description("list the users of an account")
    .action(asking((client, [id]) => usersOf(client, id)));
  user
    .command("role <ACCOUNT> <EMAIL> <owner|member>")
    .description("make a user an owner or a member, at once")
    .action(
      asking(async (client, [id, email, role]) => {
        const changes = { role: parseRole(role ?? "") };
        return client.call("PATCH", under(id, "users", await userId(client, id, email)), changes);
      }),
    );
  user
    .command("remove <ACCOUNT> <EMAIL>")
    .description("remove a user, whose sessions end at once")
    .action(
      asking(async (client, [id, email]) =>
        client.call("DELETE", under(id, "users", await userId(client, id, email))),
      ),
    );
  user
    .command("reset <ACCOUNT> <EMAIL>")
    .description("make a new link for a user who has lost the password")
    .action(
      asking(async (client, [id, email]) =>
        client.call("POST", under(id, "users", await userId(client, id, email), "reset")),
      ),
    );
}

async function usersOf(client: AdminClient, account: string | undefined): Promise<Json[]> {
  return (await client.call("GET", under(account, "users"))).items as Json[];
}

/** People know addresses, not ids; an id will do as well. */
async function userId(
  client: AdminClient,
  account: string | undefined,
  who: string | undefined,
): Promise<string> {
  const users = await usersOf(client, account);
  const found = users.find(({ user_id, email }) => user_id === who || email === who?.toLowerCase());
  if (found === undefined) throw new CommandError(`the account has no user ${who}`);
  return String(found.user_id);
}

function declareProject(admin: Command): void {
  const project = admin.command("project");
  const archiving = (archived: boolean) =>
    asking((client, [id, project]) => client.call("PATCH", under(id, "projects", project), { archived }));
  project
    .command("list <ACCOUNT>")
    .description("list the projects of an account")
    .action(asking((client, [id]) => client.items(under(id, "projects"))));
  project
    .command("archive <ACCOUNT> <PROJECT>")
    .description("archive a project: its links stop with the next scan")
    .action(archiving(true));
  project
    .command("unarchive <ACCOUNT> <PROJECT>")
    .description("bring an archived project back")
    .action(archiving(false));
}

/** What JSON leaves out is left as it is. */
function accountChanges({ name, plan, timezone, apiAccess, limit }: Options): Json {
  const changes = { name, plan, timezone, api_access: apiAccess, limits: limit };
  if (Object.values(changes).every((change) => change === undefined))
    throw new UsageError("nothing to change: give an option; see --help");
  return changes;
}

function parseSwitch(text: string): boolean {
  if (text !== "on" && text !== "off") throw new UsageError(`--api-access ${text}: it must be on or off`);
  return text === "on";
}

function parseRole(text: string): string {
  if (text !== "owner" && text !== "member") throw new UsageError(`role ${text}: it must be owner or member`);
  return text;
}

function addLimit(text: string, limits: Record<string, number | null> = {}): Record<string, number | null> {
  const [, name, value] = /^(\w+)=(\d+|plan)$/.exec(text) ?? [];
  if (!limitNames.some((known) => known === name)) {
    const names = limitNames.join(", ");
    throw new UsageError(`--limit ${text}: it must be NAME=NUMBER or NAME=plan, NAME one of ${names}`);
  }
  return { ...limits, [name!]: value === "plan" ? null : Number(value) };
}
