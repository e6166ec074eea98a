import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createKey,
  keyPrefix,
  listKeys,
  newAccount,
  readAccount,
  revokeKey,
  updateAccount,
} from "../../../src/domain/account/account-commands.ts";
import { builtInPlans } from "../../../src/domain/account/plans.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import type { CreateAccountBody, UpdateAccountBody } from "../../../src/domain/requests.ts";
import { applied, countedRandom, commandTime as now } from "../../fakes/account-view.ts";
import { sampleAccount, sampleKey } from "../../fakes/sample-documents.ts";

const refused = (code: string, message: RegExp) => (cause: unknown) =>
  cause instanceof ApiError && cause.code === code && message.test(cause.message);
const create = (body: CreateAccountBody) => newAccount(body, builtInPlans, now, countedRandom);
const update = (body: UpdateAccountBody) => updateAccount(body, builtInPlans);
const secret = (key: string) => `hash of ${key}`;
const newKey = () => createKey("till", countedRandom, secret);

test("a new account is on the free plan, in UTC, with API access and an empty default project", () => {
  const { account, writes } = create({ name: "Bakery" });
  assert.match(account.id, /^acc_/);
  assert.match(account.default_project_id, /^prj_/);
  assert.deepEqual(account, {
    id: account.id,
    name: "Bakery",
    plan: "free",
    timezone: "UTC",
    api_access: true,
    limits: {},
    default_project_id: account.default_project_id,
    active_codes: 0,
    project_count: 1,
    created_at: now,
    updated_at: now,
  });
  const project = {
    id: account.default_project_id,
    account_id: account.id,
    name: "Default project",
    description: "",
    is_archived: false,
    created_via: null,
    created_at: now,
    updated_at: now,
  };
  assert.deepEqual(writes, [
    { collection: "accounts", put: account },
    { collection: "projects", put: project },
  ]);
});

test("a new account takes the plan and the time zone it is given", () => {
  const { account } = create({ name: "Bakery", plan: "pro", timezone: "Asia/Tokyo" });
  assert.deepEqual([account.plan, account.timezone], ["pro", "Asia/Tokyo"]);
});

test("an unknown plan or time zone is refused by name, on a new account and on a change", () => {
  for (const change of [
    (body: { plan?: string; timezone?: string }) => create({ name: "x", ...body }),
    update,
  ]) {
    const plan = refused("invalid_request", /^plan must be one of "viewer", "free", .*"enterprise"$/);
    assert.throws(() => change({ plan: "gold" }), plan);
    assert.throws(() => change({ timezone: "Mars/Base" }), refused("invalid_request", /^timezone /));
    assert.throws(() => change({ timezone: "+01:00" }), refused("invalid_request", /^timezone /));
  }
});

test("a change replaces what it names and keeps the rest", () => {
  const before = sampleAccount({ api_access: true });
  const changes: UpdateAccountBody[] = [
    { name: "Shop" },
    { plan: "free" },
    { timezone: "UTC" },
    { api_access: false },
    {},
  ];
  for (const body of changes) {
    const { answer, writes } = applied(update(body));
    assert.deepEqual(answer, { ...before, ...body, updated_at: now });
    assert.deepEqual(writes, [{ collection: "accounts", put: answer }]);
  }
});

test("an own limit is set, kept and given back one by one", () => {
  const account = { limits: { qr_cap: 5, burst: 7, keys: 0 } };
  const limitsAfter = (limits: UpdateAccountBody["limits"]) =>
    applied(update({ limits }), { account }).answer.limits;
  assert.deepEqual(limitsAfter(undefined), { qr_cap: 5, burst: 7, keys: 0 });
  assert.deepEqual(limitsAfter({ per_day: 9, burst: 0 }), { qr_cap: 5, per_day: 9, burst: 0, keys: 0 });
  assert.deepEqual(limitsAfter({ qr_cap: null, per_minute: null }), { burst: 7, keys: 0 });
});

test("reading an account and listing its keys write nothing", () => {
  assert.deepEqual(applied(readAccount()), { answer: sampleAccount(), writes: [] });
  const keys = [sampleKey({ id: "key_1" }), sampleKey({ id: "key_2", revoked_at: 5 })];
  assert.deepEqual(applied(listKeys(), { keys }), { answer: keys, writes: [] });
});

test("a key is shown once: what is stored has its hash and its last four characters only", () => {
  const { answer, writes } = applied(newKey());
  assert.match(answer.key, /^api_live_[0-9a-z]{32}$/);
  assert.equal(answer.key.startsWith(keyPrefix), true);
  assert.match(answer.record.id, /^key_/);
  assert.deepEqual(answer.record, {
    id: answer.record.id,
    account_id: "acc_1",
    hash: secret(answer.key),
    last4: answer.key.slice(-4),
    name: "till",
    created_at: now,
    last_used_at: null,
    revoked_at: null,
    minute: { start: 0, used: 0 },
    day: { start: 0, used: 0 },
  });
  assert.deepEqual(writes, [{ collection: "keys", put: answer.record }]);
});

test("the cap counts live keys only, and the last one under it is granted", () => {
  const live = (count: number) => Array.from({ length: count }, (_, n) => sampleKey({ id: `key_${n}` }));
  const revoked = sampleKey({ id: "key_old", revoked_at: 1 });
  assert.equal(applied(newKey(), { keys: [...live(9), revoked] }).writes.length, 1);
  const over = refused("quota_exceeded_keys", /\b10\b/);
  assert.throws(() => applied(newKey(), { keys: live(10) }), over);
  assert.throws(() => applied(newKey(), { keys: live(11) }), over);
  assert.throws(
    () => applied(newKey(), { account: { limits: { keys: 0 } } }),
    refused("quota_exceeded_keys", /\b0\b/),
  );
});

test("a key is revoked once, for good", () => {
  const keys = [sampleKey({ id: "key_1" }), sampleKey({ id: "key_2", revoked_at: 1 })];
  const put = { ...keys[0]!, revoked_at: now };
  assert.deepEqual(applied(revokeKey("key_1"), { keys }), {
    answer: put,
    writes: [{ collection: "keys", put }],
  });
  assert.deepEqual(applied(revokeKey("key_2"), { keys }), { answer: keys[1], writes: [] });
  assert.throws(() => applied(revokeKey("key_3"), { keys }), refused("key_not_found", /./));
});
