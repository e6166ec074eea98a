import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { builtInPlans, parsePlans } from "../src/domain/plans.ts";
import { assertRefused } from "./support/client.ts";
import { startServer, type TestServer } from "./support/server.ts";

const free = { qr_cap: 1, per_minute: 50, per_day: 60, burst: 40, creates: true, advanced: false };

test("the built-in plans are those of the price list", () => {
  const rows = [...builtInPlans].map(([name, { limits, creates, advanced }]) => [
    name,
    limits.qr_cap,
    limits.per_minute,
    limits.per_day,
    limits.burst,
    limits.keys,
    creates,
    advanced,
  ]);
  assert.deepEqual(rows, [
    ["viewer", 0, 30, 1_000, 5, 10, false, false],
    ["free", 10, 30, 1_000, 5, 10, true, false],
    ["starter", 100, 60, 10_000, 10, 10, true, false],
    ["pro", 1_000, 300, 100_000, 50, 10, true, false],
    ["agency", 50_000, 1_200, 1_000_000, 200, 10, true, true],
    ["enterprise", 5_000_000, 60_000, 50_000_000, 2_000, 10, true, true],
  ]);
});

test("a file that cannot be used is refused with the key that is wrong", () => {
  const without = (key: string) => Object.fromEntries(Object.entries(free).filter(([name]) => name !== key));
  const bad: [file: unknown, named: RegExp][] = [
    [{}, /free/],
    [{ gold: free }, /free is missing/],
    [{ free: null }, /free must be an object/],
    [{ free: 1 }, /free must be an object/],
    [{ free: [] }, /free\.qr_cap /],
    [{ free: { ...free, colour: "red" } }, /free\.colour/],
    [{ free, gold: { ...free, qr_caps: 1 } }, /gold\.qr_caps/],
    ...["qr_cap", "per_minute", "per_day", "burst", "creates", "advanced"].map((key): [unknown, RegExp] => [
      { free: without(key) },
      new RegExp(`free\\.${key} `),
    ]),
    ...[-1, 1.5, "60", null, true, 2 ** 60].map((value): [unknown, RegExp] => [
      { free: { ...free, per_day: value } },
      /free\.per_day /,
    ]),
    ...["yes", 1, null].map((value): [unknown, RegExp] => [
      { free: { ...free, creates: value } },
      /free\.creates /,
    ]),
    [{ free: { ...free, keys: -1 } }, /free\.keys /],
    [[free], /object of plans/],
    ["free", /object of plans/],
    [null, /object of plans/],
  ];
  for (const [file, named] of bad)
    assert.throws(() => parsePlans(JSON.stringify(file)), named, JSON.stringify(file));
  assert.throws(() => parsePlans("{"), /not JSON/);
  assert.throws(() => parsePlans(""), /not JSON/);
});

test("a good file is read in full; the key cap may be left out", () => {
  const plans = parsePlans(JSON.stringify({ free, gold: { ...free, keys: 3, advanced: true } }));
  assert.deepEqual([...plans.keys()], ["free", "gold"]);
  assert.equal(plans.get("free")!.limits.keys, 10);
  assert.deepEqual(plans.get("gold"), {
    limits: { qr_cap: 1, per_minute: 50, per_day: 60, burst: 40, keys: 3 },
    creates: true,
    advanced: true,
  });
});

let folder: string;
let path: string;
let server: TestServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "qrelay-plans-"));
  path = join(folder, "plans.json");
  await writeFile(path, JSON.stringify({ free, enterprise: free, gold: { ...free, advanced: true } }));
  server = await startServer({ env: { PLANS_FILE: path } });
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the plans of the file are in force, and no others", async () => {
  const account = await server.newAccount({ plan: "free" });
  assert.equal((await account.api.get("/v1/projects", 200)).headers.get("x-ratelimit-limit"), "50");
  await account.api.createCode();
  const one = { redirect_url: "https://example.com/" };
  assertRefused(await account.api.post("/v1/qr-codes", one), 402, "quota_exceeded_qr", /\b1\b/);
  const advanced = { ...one, scan_limit: 1 };
  assertRefused(await account.api.post("/v1/qr-codes", advanced), 403, "feature_disabled");
  const gold = await server.newAccount({ plan: "gold" });
  await gold.api.post("/v1/qr-codes", advanced, 201);
  const answer = await server.admin.post("/admin/v1/accounts", { name: "x", plan: "agency" });
  assertRefused(answer, 400, "invalid_request", /^plan .*"gold"/);
});

test("an account whose plan is gone is rejected, never unlimited, until it has another", async () => {
  const account = await server.newAccount({ plan: "gold" });
  await account.api.get("/v1/projects", 200);
  await writeFile(path, JSON.stringify({ free, enterprise: free }));
  await server.restart();
  assertRefused(await account.api.get("/v1/projects"), 500, "internal_error");
  await server.admin.patch(`/admin/v1/accounts/${account.id}`, { plan: "free" }, 200);
  await account.api.get("/v1/projects", 200);
});
