/**
 * The whole service on a replica set of three, under load, while the primary is killed or paused and the service
 * itself is killed, at random moments. What it answered must be true afterwards.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { noMongod, type ReplicaSet, startReplicaSet } from "../support/mongod/mongod.ts";
import { type ServiceProcess, spawnService } from "../support/process.ts";
import { freePort } from "../support/wire/free-port.ts";

const rounds = Number(process.env.FAULT_ROUNDS ?? 2);
const answerMsMax = 7_000;
const takenMsMax = 30_000;
const cap = 12;
const scanLimit = 40;
const adminToken = "an-admin-token-for-tests";

const set = await startReplicaSet(3);
const folder = temporaryFolder();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const admin = new Client(url, { authorization: `Bearer ${adminToken}` });
let service: ServiceProcess | null = null;

after(() => set?.stop());

function startService(): void {
  service = spawnService({
    PORT: String(port),
    DATA_DIR: folder,
    MONGODB_URL: set!.url,
    ADMIN_TOKEN: adminToken,
    QRELAY_BOOTSTRAP: "off",
    LOG_LEVEL: "warn",
  });
}

async function killService(): Promise<void> {
  service!.child.kill("SIGKILL");
  await service!.exited;
  startService();
}

async function killPrimary(members: ReplicaSet): Promise<void> {
  const primary = await members.primary();
  await primary.kill();
  await pause(2_000 + Math.random() * 2_000);
  await primary.start();
}

async function pausePrimary(members: ReplicaSet): Promise<void> {
  const primary = await members.primary();
  primary.pause();
  await pause(2_000 + Math.random() * 2_000);
  primary.resume();
}

async function isReady(): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await pause(100)) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.status === 200) return;
    // As a supervisor would: a process that becomes owner while MongoDB goes away ends.
    if (service!.child.exitCode !== null) startService();
  }
  assert.fail(`not ready within a minute: ${service!.output()}${service!.errors()}`);
}

/** Null when the connection broke. */
async function ask(run: () => Promise<{ status: number }>): Promise<number | null> {
  const began = performance.now();
  const status = await run().then(
    (answer) => answer.status,
    (error: Error) => (error instanceof assert.AssertionError ? Promise.reject(error) : null),
  );
  const ms = performance.now() - began;
  assert.ok(ms < answerMsMax, `an answer took ${ms} ms`);
  return status;
}

class Load {
  running = true;
  /** Labels that were answered with 201, and all that were ever sent. */
  readonly created = new Set<string>();
  readonly sent = new Set<string>();
  readonly #work: Promise<void>[] = [];

  start(step: () => Promise<void>, loops: number): void {
    for (let n = 0; n < loops; n += 1) {
      const work = this.#repeat(step);
      // Seen when the load is stopped.
      work.catch(() => undefined);
      this.#work.push(work);
    }
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (this.running) {
      await step();
      await pause(25);
    }
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.#work);
  }

  /** A create that is sent once. */
  async createOnce(api: Client): Promise<void> {
    const label = `once ${randomUUID()}`;
    this.sent.add(label);
    const status = await ask(() => api.post("/v1/qr-codes", { label, redirect_url: "https://example.com/" }));
    if (status === 201) this.created.add(label);
    else assert.ok(status === null || status === 503 || status === 402, `create answered ${status}`);
  }

  /** A create that a client repeats under its idempotency key until it is answered. */
  async createSurely(api: Client): Promise<void> {
    const label = `surely ${randomUUID()}`;
    const body = { label, redirect_url: "https://example.com/" };
    const headers = { "idempotency-key": randomUUID() };
    this.sent.add(label);
    for (;;) {
      const status = await ask(() => api.post("/v1/qr-codes", body, undefined, headers));
      if (status === 201) break;
      assert.ok(status === null || status === 503, `create answered ${status}`);
      if (!this.running) return;
      await pause(50);
    }
    this.created.add(label);
  }
}

interface Scanned {
  slug: string;
  id: string;
  sent: number;
  answered: number;
}

async function scan(link: Scanned): Promise<void> {
  link.sent += 1;
  const status = await ask(() => fetch(`${url}/${link.slug}`, { redirect: "manual" }));
  if (status === 302) link.answered += 1;
  else assert.ok(status === null || status === 503 || status === 410, `scan answered ${status}`);
}

/** Before there are faults: a machine that stands still for two seconds refuses all the same, and is asked again. */
async function untilTaken<T>(run: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + takenMsMax; ; await pause(500)) {
    try {
      return await run();
    } catch (cause) {
      if (!String(cause).includes("answered 503") || performance.now() > end) throw cause;
    }
  }
}

async function newAccount(limits: object): Promise<{ id: string; api: Client }> {
  const { account_id: id } = (await admin.post("/admin/v1/accounts", { name: "a", plan: "enterprise" }, 201))
    .body;
  await admin.patch(`/admin/v1/accounts/${id}`, { limits }, 200);
  const { key } = (await admin.post(`/admin/v1/accounts/${id}/keys`, {}, 201)).body;
  return { id, api: new Client(url, { "x-api-key": key }) };
}

async function newLink(api: Client, fields: object): Promise<Scanned> {
  const { slug, qr_id } = await api.createRendered({ label: "scanned", ...fields });
  return { slug, id: qr_id, sent: 0, answered: 0 };
}

async function checkScans(api: Client, link: Scanned, limit = Number.POSITIVE_INFINITY): Promise<void> {
  const { scan_count } = (await api.get(`/v1/qr-codes/${link.id}`, 200)).body;
  const figures = `answered ${link.answered}, counted ${scan_count}, sent ${link.sent}`;
  assert.ok(link.answered <= scan_count && scan_count <= link.sent, figures);
  assert.ok(scan_count <= limit, figures);
}

async function checkCodes(id: string, api: Client, load: Load, most: number): Promise<void> {
  const codes = (await api.allCodes()).filter(({ label }) => label !== "scanned");
  const labels = codes.map(({ label }) => label);
  const slugs = codes.map(({ slug }) => slug).filter((slug) => slug !== null);
  assert.equal(new Set(labels).size, labels.length, "a create was done twice");
  assert.equal(new Set(slugs).size, slugs.length, "a slug is double");
  assert.deepEqual(
    [...load.created].filter((label) => !labels.includes(label)),
    [],
    "lost",
  );
  assert.deepEqual(
    labels.filter((label) => !load.sent.has(label)),
    [],
    "nobody sent these",
  );
  const { usage } = (await admin.get(`/admin/v1/accounts/${id}`, 200)).body;
  assert.ok(usage.active_codes <= most, `${usage.active_codes} active codes of ${most}`);
  assert.equal(usage.active_codes, (await api.allCodes()).length);
}

test("what was answered is true, whatever is killed or paused", {
  skip: set ? false : noMongod,
}, async () => {
  startService();
  await isReady();
  for (let round = 0; round < rounds; round += 1) {
    const wide = await untilTaken(() => newAccount({}));
    const narrow = await untilTaken(() => newAccount({ qr_cap: cap }));
    const open = await untilTaken(() => newLink(wide.api, {}));
    const limited = await untilTaken(() => newLink(wide.api, { scan_limit: scanLimit }));
    const [load, narrowLoad] = [new Load(), new Load()];
    load.start(() => load.createOnce(wide.api), 1);
    load.start(() => load.createSurely(wide.api), 2);
    load.start(() => scan(open), 2);
    load.start(() => scan(limited), 2);
    narrowLoad.start(() => narrowLoad.createOnce(narrow.api), 2);

    try {
      const faults = [round % 2 === 0 ? killPrimary(set!) : pausePrimary(set!)];
      await pause(Math.random() * 4_000);
      faults.push(killService());
      await Promise.all(faults);
      await isReady();
      await pause(500);
    } finally {
      await Promise.all([load.stop(), narrowLoad.stop()]);
    }

    await isReady();
    await checkCodes(wide.id, wide.api, load, Number.POSITIVE_INFINITY);
    await checkCodes(narrow.id, narrow.api, narrowLoad, cap);
    await checkScans(wide.api, open);
    await checkScans(wide.api, limited, scanLimit);
    assert.ok(load.created.size > 0 && open.answered > 0, "the load did something");
  }
});
