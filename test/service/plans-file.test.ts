import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertRefused } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { startServer } from "../support/server.ts";

const free = { qr_cap: 1, per_minute: 50, per_day: 60, burst: 40, creates: true, advanced: false };

const path = join(temporaryFolder(), "plans.json");
await writeFile(path, JSON.stringify({ free, enterprise: free, gold: { ...free, advanced: true } }));
const server = await startServer({ env: { PLANS_FILE: path } });

test("the plans of the file are in force, and no others", async () => {
  const account = await server.newAccount({ plan: "free" });
  assert.equal((await account.api.get("/v1/projects", 200)).headers.get("x-ratelimit-limit"), "50");
  await account.api.createCode();
  const one = { redirect_url: "https://example.com/" };
  assertRefused(await account.api.post("/v1/qr-codes", one), 402, "quota_exceeded_qr", /\b1\b/);
  const advanced = { ...one, scan_limit: 1 };
  assertRefused(await account.api.post("/v1/qr-codes", advanced), 403, "feature_disabled", /do: gold\.$/);
  const gold = await server.newAccount({ plan: "gold" });
  await gold.api.post("/v1/qr-codes", advanced, 201);
  const answer = await server.admin.post("/admin/v1/accounts", { name: "x", plan: "agency" });
  assertRefused(answer, 400, "invalid_request", /^plan .*"gold"/);
});
