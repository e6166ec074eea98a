import assert from "node:assert/strict";
import { test } from "node:test";
import { deferUnsafe, type FieldRules } from "../../src/domain/code/code-fields.ts";
import { createCode } from "../../src/domain/code/create-code.ts";
import { updateCode } from "../../src/domain/code/update-code.ts";
import type { CodeDoc } from "../../src/domain/documents.ts";
import type { CreateCodeBody, UpdateCodeBody } from "../../src/domain/requests.ts";
import { parseBlockList } from "../../src/domain/target/block-list.ts";
import { checkUrl } from "../../src/domain/target/url-safety.ts";
import { redirectRulesMax, rescanTargetsPerTurn } from "../../src/limits.ts";
import { newSlug } from "../../src/link/slug.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import type { RemotePolicy, Verdict } from "../../src/safety/remote-check.ts";
import { rescan } from "../../src/safety/rescan.ts";
import { openActors } from "../support/actors.ts";

const bad = "https://turned.example.net/";

/** An account with codes, a block list that a test decides, and the re-scan. */
async function openWorld(qr_cap = 10) {
  const actors = await openActors();
  const { store, directory } = actors;
  const account = await actors.newAccount({ limits: { qr_cap } });
  const policy = { ownHosts: new Set<string>(), blockList: parseBlockList("") };
  const fields: FieldRules = {
    checkUrl: deferUnsafe((path, value) => checkUrl(path, value, policy)),
    linkTo: (slug) => `https://qr.test/${slug}`,
  };
  const world = {
    verdict: "safe" as Verdict,
    list(...hosts: string[]) {
      policy.blockList = parseBlockList(hosts.join("\n"));
    },
    create: (body: CreateCodeBody): Promise<CodeDoc> =>
      directory.run(
        account.id,
        createCode(body, fields, { slug: newSlug(systemRandom), random: systemRandom }),
      ),
    patch: ({ id }: CodeDoc, body: UpdateCodeBody): Promise<CodeDoc> =>
      directory.run(account.id, updateCode(id, body, fields)),
    async rescan(remote = false) {
      const remoteCheck: RemotePolicy = {
        check: { verdict: () => Promise.resolve(world.verdict), close() {} },
        fail: "closed",
      };
      const parts = { store, directory, policy: () => policy, fields };
      return rescan({ ...parts, remoteCheck: remote ? remoteCheck : null });
    },
    status: async ({ id }: CodeDoc) => (await store.get("codes", id))!.status,
    activeCodes: async () => (await store.get("accounts", account.id))!.active_codes,
  };
  return world;
}

test("a re-scan blocks what is listed now, and lets go what is not any more", async () => {
  const world = await openWorld();
  const target = await world.create({ redirect_url: bad });
  const rule = { condition: "country", value: "FR", url: bad } as const;
  const byRule = await world.create({ redirect_url: "https://example.com/", redirect_rules: [rule] });
  const fine = await world.create({ redirect_url: "https://example.com/" });
  world.list("turned.example.net");
  assert.deepEqual(await world.rescan(), { checked: 3, blocked: 2, unblocked: 0 });
  assert.equal(await world.activeCodes(), 1);
  assert.deepEqual(await world.rescan(), { checked: 3, blocked: 0, unblocked: 0 });
  world.list();
  assert.deepEqual(await world.rescan(), { checked: 3, blocked: 0, unblocked: 2 });
  for (const code of [target, byRule, fine]) assert.equal(await world.status(code), "active");
  assert.equal(await world.activeCodes(), 3);
});

test("a blocked code that was archived is let go too, and stays archived; others that are archived are left alone", async () => {
  const world = await openWorld();
  const put = await world.create({ redirect_url: bad });
  const kept = await world.create({ redirect_url: bad });
  await world.patch(kept, { status: "archived" });
  world.list("turned.example.net");
  assert.deepEqual(await world.rescan(), { checked: 1, blocked: 1, unblocked: 0 });
  await world.patch(put, { status: "archived" });
  world.list();
  await assert.rejects(world.patch(put, { status: "active" }), { code: "feature_disabled" });
  assert.deepEqual(await world.rescan(), { checked: 1, blocked: 0, unblocked: 1 });
  assert.equal(await world.status(put), "archived");
  assert.equal((await world.patch(put, { status: "active" })).status, "active");
});

test("without room under the cap a code stays blocked, until there is some", async () => {
  const world = await openWorld(1);
  const code = await world.create({ redirect_url: bad });
  world.list("turned.example.net");
  await world.rescan();
  const other = await world.create({ redirect_url: "https://example.com/" });
  world.list();
  assert.deepEqual(await world.rescan(), { checked: 2, blocked: 0, unblocked: 0 });
  assert.equal(await world.status(code), "blocked");
  await world.patch(other, { status: "archived" });
  assert.deepEqual(await world.rescan(), { checked: 1, blocked: 0, unblocked: 1 });
});

test("what the remote check finds dangerous, or says nothing of, stays blocked", async () => {
  const world = await openWorld();
  const code = await world.create({ redirect_url: bad });
  world.list("turned.example.net");
  await world.rescan();
  world.list();
  for (const verdict of ["unsafe", "unknown"] as const) {
    world.verdict = verdict;
    assert.deepEqual(await world.rescan(true), { checked: 1, blocked: 0, unblocked: 0 });
    assert.equal(await world.status(code), "blocked");
  }
  world.verdict = "safe";
  assert.deepEqual(await world.rescan(true), { checked: 1, blocked: 0, unblocked: 1 });
});

test("a re-scan looks at few targets in a turn of the loop", async () => {
  const codes = 60;
  const world = await openWorld(codes);
  const rule = { condition: "country", value: "FR", url: "https://example.com/" } as const;
  const redirect_rules = Array.from({ length: redirectRulesMax }, () => rule);
  for (let n = 0; n < codes; n++)
    await world.create({ redirect_url: "https://example.com/", redirect_rules });
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns++;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  assert.equal((await world.rescan()).checked, codes);
  isRunning = false;
  const targets = codes * (1 + redirectRulesMax);
  assert.ok(turns >= targets / (2 * rescanTargetsPerTurn), `${turns} turns for ${targets} targets`);
});
