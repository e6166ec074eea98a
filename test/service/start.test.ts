import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const start = (env: Record<string, string>, args?: string[]) => spawnService({ PORT: "0", ...env }, args);

const keyPattern = /api_live_[0-9a-z]{32}/;
const body = '{"name":"in flight"}';

/** A request of which the last byte is still missing. */
async function halfSent(address: string, key: string) {
  const connection = await openRaw(address);
  const headers = [`x-api-key: ${key}`, "Content-Type: application/json", `Content-Length: ${body.length}`];
  connection.socket.write(rawRequest("POST", "/v1/projects", headers, body.slice(0, -1)));
  // The answer to a later request says that the server has read, and stored, what came before it.
  await fetch(`${address}/v1/projects`, { headers: { "x-api-key": key } });
  return connection;
}

test("a first start, its curl command, an orderly stop with a request in flight, and a second start", {
  timeout: 60_000,
}, async () => {
  const DATA_DIR = temporaryFolder();
  const first = start({ DATA_DIR });
  const address = await first.ready();
  const key = keyPattern.exec(first.output())?.[0];
  assert.ok(key, first.output());
  assert.ok(first.output().indexOf(key) < first.output().indexOf("qrelay listening on"));

  const command = /curl [\s\S]*?'\{.*\}'/.exec(first.output())?.[0];
  assert.ok(command, first.output());
  const write = " -o /dev/null -w '%{http_code}'";
  const { stdout } = await promisify(execFile)("sh", ["-c", command + write]);
  assert.equal(stdout, "201");
  const created = await promisify(execFile)("sh", ["-c", command]);
  assert.equal(JSON.parse(created.stdout).label, "Hello");

  for (const path of ["/healthz", "/readyz"]) assert.equal((await fetch(address + path)).status, 200, path);

  const tokenPath = join(DATA_DIR, "admin-token");
  assert.equal(statSync(tokenPath).mode & 0o777, 0o600);
  const token = readFileSync(tokenPath, "utf8").trim();
  const accounts = await fetch(`${address}/admin/v1/accounts`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items } = (await accounts.json()) as { items: { name: string; plan: string }[] };
  assert.deepEqual(
    items.map(({ name, plan }) => [name, plan]),
    [["demo", "agency"]],
  );
  assert.ok(!first.output().includes(token));

  const connection = await halfSent(address, key);
  first.child.kill("SIGTERM");
  await assert.rejects(async () => {
    for (;;) await fetch(`${address}/healthz`, { headers: { connection: "close" } });
  });
  connection.socket.write(body.slice(-1));
  assert.match(await connection.closed(10_000), /^HTTP\/1\.1 201 Created\r\n/);
  assert.deepEqual(await first.exited, { code: 0, signal: null });

  const second = start({ DATA_DIR });
  const again = await second.ready();
  assert.doesNotMatch(second.output(), keyPattern);
  assert.equal(readFileSync(tokenPath, "utf8").trim(), token);
  const projects = await fetch(`${again}/v1/projects`, { headers: { "x-api-key": key } });
  assert.match(await projects.text(), /"in flight"/);
  second.child.kill("SIGINT");
  assert.deepEqual(await second.exited, { code: 0, signal: null });
});

test("a second signal ends the process at once, with a request still in flight", {
  timeout: 60_000,
}, async () => {
  const service = start({ DATA_DIR: temporaryFolder() });
  const address = await service.ready();
  const connection = await halfSent(address, keyPattern.exec(service.output())![0]);
  service.child.kill("SIGTERM");
  await assert.rejects(async () => {
    for (;;) await fetch(`${address}/healthz`, { headers: { connection: "close" } });
  });
  const asked = Date.now();
  service.child.kill("SIGTERM");
  const { code } = await service.exited;
  assert.notEqual(code, 0);
  assert.ok(Date.now() - asked < 3_000);
  connection.socket.destroy();
});

test("QRELAY_BOOTSTRAP=off makes no account; a port that is taken is said in one line", {
  timeout: 60_000,
}, async () => {
  const service = start({ DATA_DIR: temporaryFolder(), QRELAY_BOOTSTRAP: "off" });
  const address = await service.ready();
  assert.doesNotMatch(service.output(), /api_live_/);

  const { port } = new URL(address);
  const late = start({ DATA_DIR: temporaryFolder(), PORT: port });
  assert.equal((await late.exited).code, 1);
  assert.match(late.errors(), new RegExp(`^qrelay: cannot listen on 127\\.0\\.0\\.1:${port}\\b.*\\n$`));
  assert.doesNotMatch(late.output(), /listening/);
  assert.equal((await fetch(`${address}/healthz`)).status, 200);
});

test("--help and --version answer and end; anything else is refused in one line", {
  timeout: 60_000,
}, async () => {
  const [help, version, unknown] = [
    start({}, ["--help"]),
    start({}, ["--version"]),
    start({}, ["--verbose"]),
  ];
  assert.equal((await help.exited).code, 0);
  for (const name of ["PORT", "PUBLIC_URL", "DATA_DIR", "ADMIN_TOKEN", "QRELAY_BOOTSTRAP", "LOG_LEVEL"]) {
    assert.ok(help.output().includes(name), name);
  }
  assert.equal((await version.exited).code, 0);
  assert.match(version.output(), /^qrelay \d+\.\d+\.\d+\n$/);
  assert.equal((await unknown.exited).code, 1);
  assert.match(unknown.errors(), /^qrelay: --verbose .*\n$/);
});

test("a malformed variable stops the start in one line, before anything is made", {
  timeout: 60_000,
}, async () => {
  const DATA_DIR = join(temporaryFolder(), "not-made");
  const service = start({ DATA_DIR, PORT: "http" });
  assert.equal((await service.exited).code, 1);
  assert.match(service.errors(), /^qrelay: PORT=http .*0 to 65535\n$/);
  assert.throws(() => statSync(DATA_DIR), /ENOENT/);
});
