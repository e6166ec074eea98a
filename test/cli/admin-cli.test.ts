/** The operator's command line as it is typed, against a running service. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { commandLine } from "../../src/cli/command-line.ts";
import { listed } from "../../src/cli/help.ts";
import { programArguments } from "../support/built.ts";
import { assertRefused, Client, type Json } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { startServer } from "../support/server.ts";
import { freePort } from "../support/wire/free-port.ts";

const server = await startServer();
const emptyFolder = temporaryFolder();

interface Run {
  exitCode: number | null;
  out: string;
  err: string;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = { DATA_DIR: server.dataDir, PORT: new URL(server.url).port };

function run(args: string[], env: Record<string, string> = here): Promise<Run> {
  const { ADMIN_TOKEN: _, DATA_DIR: __, HOST: ___, PORT: ____, ...inherited } = process.env;
  const child = spawn(process.execPath, [...programArguments(), "admin", ...args], {
    cwd: root,
    env: { ...inherited, ...env },
  });
  const result: Run = { exitCode: null, out: "", err: "" };
  child.stdout.on("data", (text) => (result.out += text));
  child.stderr.on("data", (text) => (result.err += text));
  return new Promise((resolve) => {
    child.on("close", (exitCode) => resolve({ ...result, exitCode }));
  });
}

async function json(...args: string[]): Promise<Json> {
  const { exitCode, out, err } = await run([...args, "--json"]);
  assert.equal(exitCode, 0, err);
  return JSON.parse(out);
}

async function assertFails(exitCode: number, message: RegExp, args: string[], env?: Record<string, string>) {
  const failed = await run(args, env);
  assert.match(failed.err, message);
  assert.deepEqual([failed.exitCode, failed.out], [exitCode, ""], args.join(" "));
  assert.equal(failed.err.trim().split("\n").length, 1, `more than one line: ${failed.err}`);
}

/** A table as rows of cells: columns are two spaces apart. */
const rows = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd().split(/ {2,}/));

test("accounts: create, list, show and set", async () => {
  const created = await run(["account", "create", "Acme Ltd", "--plan", "pro", "--timezone", "Europe/Paris"]);
  assert.equal(created.exitCode, 0, created.err);
  const id = /^account_id +(acc_\S+)$/m.exec(created.out)?.[1];
  assert.ok(id, created.out);
  assert.match(created.out, /^name +Acme Ltd$/m);
  assert.match(created.out, /^timezone +Europe\/Paris$/m);
  assert.match(created.out, /^usage\n {2}active_codes +0$/m);

  const [listed, listedJson, shown] = await Promise.all([
    run(["account", "list"]),
    json("account", "list"),
    json("account", "show", id),
  ]);
  const [head, ...lines] = rows(listed.out);
  assert.deepEqual(head!.slice(0, 3), ["account_id", "name", "plan"]);
  assert.deepEqual(lines.find(([first]) => first === id)?.slice(0, 3), [id, "Acme Ltd", "pro"]);
  assert.equal(lines.length, listedJson.length);
  assert.deepEqual([shown.account_id, shown.plan, shown.usage.active_codes], [id, "pro", 0]);
  assert.ok(!("request_id" in shown));

  const set = await json(
    ...["account", "set", id, "--name", "Acme", "--plan", "agency", "--timezone", "UTC"],
    ...["--api-access", "off", "--limit", "qr_cap=3", "--limit", "keys=1"],
  );
  assert.deepEqual(
    [set.name, set.plan, set.timezone, set.api_access, set.limit_overrides],
    ["Acme", "agency", "UTC", false, { qr_cap: 3, keys: 1 }],
  );
  const back = await json("account", "set", id, "--api-access", "on", "--limit", "qr_cap=plan");
  assert.deepEqual([back.api_access, back.limit_overrides], [true, { keys: 1 }]);
});

test("users: create, list, role, reset and remove", async () => {
  const { id } = await server.newAccount();
  const created = await run(["user", "create", id, "Ada@example.com"]);
  assert.equal(created.exitCode, 0, created.err);
  const link = /^one_time_link +(\S+)$/m.exec(created.out)?.[1];
  assert.match(link ?? "", /\/dashboard\/set-password#usr_\w+\.[\w-]{43}$/);
  assert.match(created.out, /^role +owner$/m);
  const member = await json("user", "create", id, "bob@example.com", "--role", "member");
  assert.equal(member.role, "member");

  const [head, ...lines] = rows((await run(["user", "list", id])).out);
  assert.deepEqual(head!.slice(0, 3), ["user_id", "email", "role"]);
  assert.deepEqual(
    lines.map(([, email]) => email),
    ["ada@example.com", "bob@example.com"],
  );
  const reset = await json("user", "reset", id, "ADA@example.com");
  assert.notEqual(reset.one_time_link, link);
  assert.equal((await json("user", "role", id, "bob@example.com", "owner")).role, "owner");
  await assertFails(2, /role boss: it must be owner or member/, [
    "user",
    "role",
    id,
    "bob@example.com",
    "boss",
  ]);
  assert.equal((await json("user", "remove", id, member.user_id)).email, "bob@example.com");
  assert.deepEqual((await json("user", "list", id)).length, 1);
  await assertFails(1, /has no user bob@example\.com/, ["user", "remove", id, "bob@example.com"]);
  await assertFails(1, /email_taken/, ["user", "create", id, "ada@example.com"]);
  await assertFails(2, /role boss: it must be owner or member/, [
    "user",
    "create",
    id,
    "x@y.z",
    "--role",
    "boss",
  ]);
});

test("keys: create, list, rename and revoke", async () => {
  const { id } = await server.newAccount();
  const created = await run(["key", "create", id, "--name", "till"]);
  assert.equal(created.exitCode, 0, created.err);
  const key = /^key +(api_live_\w{32})$/m.exec(created.out)?.[1];
  const keyId = /^key_id +(key_\S+)$/m.exec(created.out)?.[1];
  assert.ok(key && keyId, created.out);
  const till = new Client(server.url, { "x-api-key": key });
  await till.get("/v1/projects", 200);

  const listed = await run(["key", "list", id]);
  assert.ok(!listed.out.includes(key));
  assert.deepEqual(rows(listed.out)[0], [
    "key_id",
    "name",
    "last4",
    "created_at",
    "last_used_at",
    "revoked_at",
  ]);
  assert.ok(
    rows(listed.out).some((row) => row[0] === keyId && row[1] === "till" && row[2] === key.slice(-4)),
  );

  assert.equal((await json("key", "rename", id, keyId, "door")).name, "door");
  const revoked = await json("key", "revoke", id, keyId);
  assert.equal(revoked.key_id, keyId);
  assert.notEqual(revoked.revoked_at, null);
  assertRefused(await till.get("/v1/projects"), 401, "unauthorized");
  await assertFails(1, /no such key.*key_not_found/, ["key", "revoke", id, "key_nothing"]);
});

test("projects: list, archive and unarchive", async () => {
  const { id, projectId, api } = await server.newAccount();
  const { slug } = await api.createRendered();
  const listed = await run(["project", "list", id]);
  const [head, ...lines] = rows(listed.out);
  assert.equal(head![0], "project_id");
  assert.deepEqual(
    lines.map(([first]) => first),
    [projectId],
  );
  assert.equal((await json("project", "archive", id, projectId)).is_archived, true);
  assertRefused(await api.get(`/${slug}`), 404, "qr_not_found");
  assert.equal((await json("project", "unarchive", id, projectId)).is_archived, false);
  await api.get(`/${slug}`, 302);
});

test("safety rescan says what it did", async () => {
  const { out, exitCode } = await run(["safety", "rescan"]);
  assert.equal(exitCode, 0);
  assert.match(out, /^checked +\d+\nblocked +0\nunblocked +0\n$/);
});

test("cluster status tells who owns the database, and that nobody else is known", async () => {
  const { out, exitCode } = await run(["cluster", "status"]);
  assert.equal(exitCode, 0);
  const [head, owner, , words, ...left] = out.split("\n");
  assert.match(head!, /^member +state +address +may_serve +confirmed_ms_ago +partitions +name$/);
  assert.match(owner!, /^- +owner +- +true +- +256 +-$/);
  assert.match(words!, /^CLUSTER is off/);
  assert.deepEqual(
    left.slice(0, 2).map((line) => line.slice(-3)),
    [": 0", ": 0"],
  );
  const json = JSON.parse((await run(["--json", "cluster", "status"])).out);
  assert.equal(json.enabled, false);
  assert.equal(json.members[0].state, "owner");
});

test("help shows every command, or the one that was named", async () => {
  const [all, none, one] = await Promise.all([run(["--help"]), run([]), run(["key", "create", "-h"], {})]);
  assert.equal(all.exitCode, 0);
  assert.equal(none.out, all.out);
  const admin = commandLine().commands.find((command) => command.name() === "admin")!;
  for (const { words, options, about } of listed(admin)) {
    assert.ok(all.out.includes(words.join(" ")) && all.out.includes(about), words.join(" "));
    for (const option of options) assert.ok(all.out.includes(option), option);
  }
  assert.ok(one.out.includes("key create ACCOUNT [--name NAME]"));
  assert.ok(!one.out.includes("account create"));
});

test("a command that is not understood is exit code 2 and says what to do", async () => {
  const set = ["account", "set", "acc_x"];
  await Promise.all([
    assertFails(2, /no command "account destroy".*--help/, ["account", "destroy"]),
    assertFails(2, /"account show" takes ACCOUNT.*--help/, ["account", "show"]),
    assertFails(2, /--colour/, ["account", "list", "--colour", "red"]),
    assertFails(2, /"account list" has no option --plan.*--help/, ["account", "list", "--plan", "pro"]),
  ]);
  await Promise.all([
    assertFails(2, /nothing to change/, set),
    assertFails(2, /--api-access maybe: it must be on or off/, [...set, "--api-access", "maybe"]),
    assertFails(2, /--limit speed=1: .*qr_cap, per_minute/, [...set, "--limit", "speed=1"]),
    assertFails(2, /--url nowhere: it must be like http/, ["account", "list", "--url", "nowhere"]),
  ]);
});

test("a refusal of the service is exit code 1 with the service's words", async () => {
  await Promise.all([
    assertFails(1, /plan must be one of "viewer".*invalid_request/, [
      "account",
      "create",
      "A",
      "--plan",
      "gold",
    ]),
    assertFails(1, /no such account.*account_not_found/, ["account", "show", "../accounts"]),
  ]);
});

test("without a token, with a wrong one, and without the service it says what to set", async () => {
  const port = here.PORT;
  const free = String(await freePort());
  await Promise.all([
    assertFails(1, /no admin token in .*set DATA_DIR .*ADMIN_TOKEN/, ["account", "list"], {
      PORT: port,
      DATA_DIR: emptyFolder,
    }),
    assertFails(1, /does not take this admin token: set DATA_DIR .*ADMIN_TOKEN/, ["account", "list"], {
      PORT: port,
      ADMIN_TOKEN: "not-the-right-token",
    }),
    assertFails(
      1,
      /no answer from \S+ \(ECONNREFUSED\): is the service running\? .*--url/,
      ["account", "list"],
      {
        ...here,
        PORT: free,
      },
    ),
  ]);
});

test("something else at the address is not taken for the service", async (t) => {
  const other = createServer((_, res) => res.end("<h1>Hello</h1>")).listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await assertFails(1, /is not qrelay.*--url/, ["account", "list", "--url", `http://127.0.0.1:${port}`]);
});

test("--url and ADMIN_TOKEN reach a service elsewhere", async () => {
  const { id } = await server.newAccount({ name: "Elsewhere" });
  const token = (await readFile(join(server.dataDir, "admin-token"), "utf8")).trim();
  const shown = await run(["account", "show", id, "--url", `${server.url}/`], { ADMIN_TOKEN: token });
  assert.equal(shown.exitCode, 0, shown.err);
  assert.match(shown.out, /^name +Elsewhere$/m);
});

/** A port at which nothing listens. */
