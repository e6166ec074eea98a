import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { builtInPlans } from "../../../src/domain/account/plans.ts";
import { searchUnconfigured } from "../../../src/service/unconfigured-plans.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { MemoryStore } from "../../fakes/memory-store.ts";
import { numbered, putAccount, sampleAccount } from "../../fakes/sample-documents.ts";
import { assertRefused, type Json } from "../../support/client.ts";
import { temporaryFolder } from "../../support/endings.ts";
import { startServer } from "../../support/server.ts";

const plan = { qr_cap: 10, per_minute: 500, per_day: 6_000, burst: 400, creates: true, advanced: true };

const lines: Json[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });

const path = join(temporaryFolder(), "plans.json");
await writeFile(path, JSON.stringify({ free: plan, enterprise: plan, gold: plan }));
const server = await startServer({ env: { PLANS_FILE: path }, log });

test("an account whose plan is gone gets 403 and is told why, its links go on, the operator is told", async () => {
  const { admin } = server;
  const account = await server.newAccount({ plan: "gold" });
  const code = await account.api.createRendered();
  assert.equal(lines.length, 0);
  await writeFile(path, JSON.stringify({ free: plan, enterprise: plan }));
  await server.restart();

  for (const request of [
    account.api.get("/v1/projects"),
    account.api.get(`/v1/qr-codes/${code.qr_id}`),
    account.api.post("/v1/qr-codes", { redirect_url: "https://example.com/" }),
    account.api.patch(`/v1/qr-codes/${code.qr_id}`, { label: "x" }),
  ]) {
    assertRefused(await request, 403, "api_access_disabled", /plan "gold" is not configured/);
  }
  await account.api.get(`/${code.slug}`, 302);

  const shown = (await admin.get(`/admin/v1/accounts/${account.id}`, 200)).body;
  assert.deepEqual([shown.plan, shown.plan_configured, shown.limits.per_minute], ["gold", false, 0]);
  const { items } = (await admin.get("/admin/v1/accounts", 200)).body;
  assert.deepEqual(
    items.filter((item: Json) => !item.plan_configured).map((item: Json) => item.account_id),
    [account.id],
  );
  const warned = lines.filter((line) => /not configured/.test(line.msg));
  assert.deepEqual(
    warned.map((line) => [line.accounts, line.plans, line.for_instance]),
    [[1, ["gold"], [account.id]]],
  );
  const key = await admin.post(`/admin/v1/accounts/${account.id}/keys`, {});
  assertRefused(key, 403, "api_access_disabled", /gold/);

  await admin.patch(`/admin/v1/accounts/${account.id}`, { plan: "free" }, 200);
  await account.api.get("/v1/projects", 200);
  assert.equal((await admin.get(`/admin/v1/accounts/${account.id}`, 200)).body.plan_configured, true);
});

/** Everything that is waiting for a store in memory has happened. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await nextTurn();
}

async function searching(accounts: number) {
  const store = new MemoryStore();
  const plans = ["gold", "free", "silver"];
  await store.commit(
    Array.from({ length: accounts }, (_, n) =>
      putAccount(sampleAccount({ id: numbered("acc", n), plan: plans[n % 3]! })),
    ),
  );
  const clock = new ManualClock();
  const told: Json[] = [];
  const warn = (...line: unknown[]) => void told.push(line);
  const stop = searchUnconfigured({ store, plans: builtInPlans, clock, log: { warn } as never });
  await settled();
  return { store, clock, told, stop };
}

test("among many accounts the search goes in steps with pauses, and names a few", async () => {
  const { store, clock, told } = await searching(1_000);
  assert.deepEqual([store.calls.get("listAccounts"), told.length], [1, 0]);
  for (let step = 0; step < 10; step++) {
    clock.advance(50);
    await settled();
  }
  assert.equal(store.calls.get("listAccounts"), 5);
  const [[found]] = told as [Json];
  assert.deepEqual(
    [found.accounts, found.plans.toSorted(), found.for_instance.length],
    [667, ["gold", "silver"], 10],
  );
});

test("the search ends with the service", async () => {
  const { store, clock, told, stop } = await searching(1_000);
  stop();
  clock.advance(10_000);
  await settled();
  assert.deepEqual([store.calls.get("listAccounts"), told], [1, []]);
});
