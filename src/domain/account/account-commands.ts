/** Accounts and their keys: the parts of the service that belong to its operator. */

import type { Millis } from "../../runtime/clock.ts";
import { newId, randomText } from "../../runtime/ids.ts";
import type { Random } from "../../runtime/random.ts";
import { type AccountView, type Command, onAccount } from "../command.ts";
import type { AccountDoc, KeyDoc, Write } from "../documents.ts";
import { ApiError, invalidField } from "../errors.ts";
import type { CreateAccountBody, LimitsInput, UpdateAccountBody } from "../requests.ts";
import { defaultPlan, limitNames, type Plans } from "./plans.ts";
import { newProject } from "./project-commands.ts";
import { isTimezone } from "./timezone.ts";

export const keyPrefix = "api_live_";
export const keyRandomChars = 32;

/** A new account with its default project, and what to store. */
export function newAccount(
  body: CreateAccountBody,
  plans: Plans,
  now: Millis,
  random: Random,
): { account: AccountDoc; writes: Write[] } {
  const plan = body.plan ?? defaultPlan;
  const timezone = body.timezone ?? "UTC";
  requireKnown(plan, timezone, plans);
  const id = newId("acc", now, random);
  const project = newProject(id, "Default project", now, random);
  const account: AccountDoc = {
    id,
    name: body.name,
    plan,
    timezone,
    api_access: true,
    limits: {},
    default_project_id: project.id,
    active_codes: 0,
    project_count: 1,
    created_at: now,
    updated_at: now,
  };
  return {
    account,
    writes: [
      { collection: "accounts", put: account },
      { collection: "projects", put: project },
    ],
  };
}

export function updateAccount(body: UpdateAccountBody, plans: Plans): Command<AccountDoc> {
  requireKnown(body.plan, body.timezone, plans);
  return onAccount((view, now) => {
    const account: AccountDoc = {
      ...view.account,
      name: body.name ?? view.account.name,
      plan: body.plan ?? view.account.plan,
      timezone: body.timezone ?? view.account.timezone,
      api_access: body.api_access ?? view.account.api_access,
      limits: mergedLimits(view.account.limits, body.limits ?? {}),
      updated_at: now,
    };
    return { answer: account, writes: [{ collection: "accounts", put: account }] };
  });
}

export function readAccount(): Command<AccountDoc> {
  return onAccount(({ account }) => ({ answer: account, writes: [] }));
}

export interface NewKey {
  key: string;
  record: KeyDoc;
}

/** Makes a key. The key itself is in the answer only; what is stored cannot give it back. */
export function createKey(name: string, random: Random, hash: (key: string) => string): Command<NewKey> {
  const key = keyPrefix + randomText(keyRandomChars, random);
  return onAccount((view, now) => {
    const live = [...view.keys.values()].filter((record) => record.revoked_at === null).length;
    if (live >= view.limits.keys) {
      throw new ApiError(
        "quota_exceeded_keys",
        `The plan's cap of ${view.limits.keys} live keys is reached.`,
      );
    }
    const record: KeyDoc = {
      id: newId("key", now, random),
      account_id: view.account.id,
      hash: hash(key),
      last4: key.slice(-4),
      name,
      created_at: now,
      last_used_at: null,
      revoked_at: null,
      minute: { start: 0, used: 0 },
      day: { start: 0, used: 0 },
    };
    return { answer: { key, record }, writes: [{ collection: "keys", put: record }] };
  });
}

export function listKeys(): Command<KeyDoc[]> {
  return onAccount(({ keys }) => ({ answer: [...keys.values()], writes: [] }));
}

export function renameKey(id: string, name: string): Command<KeyDoc> {
  return onAccount((view) => {
    const renamed = { ...requireKey(view, id), name };
    return { answer: renamed, writes: [{ collection: "keys", put: renamed }] };
  });
}

/** Revokes a key for good. Revoking it again changes nothing. */
export function revokeKey(id: string): Command<KeyDoc> {
  return onAccount((view, now) => {
    const record = requireKey(view, id);
    if (record.revoked_at !== null) return { answer: record, writes: [] };
    const revoked = { ...record, revoked_at: now };
    return { answer: revoked, writes: [{ collection: "keys", put: revoked }] };
  });
}

function requireKey({ keys }: AccountView, id: string): KeyDoc {
  const record = keys.get(id);
  if (record === undefined) throw new ApiError("key_not_found");
  return record;
}

/** A limit left out stays, null gives the plan's back. */
function mergedLimits(own: AccountDoc["limits"], given: LimitsInput): AccountDoc["limits"] {
  const limits: AccountDoc["limits"] = {};
  for (const name of limitNames) {
    const limit = given[name] === undefined ? own[name] : given[name];
    if (limit !== null && limit !== undefined) limits[name] = limit;
  }
  return limits;
}

function requireKnown(plan: string | undefined, timezone: string | undefined, plans: Plans): void {
  if (plan !== undefined && !plans.has(plan)) {
    throw invalidField("plan", `must be one of ${[...plans.keys()].map((name) => `"${name}"`).join(", ")}`);
  }
  if (timezone !== undefined && !isTimezone(timezone)) {
    throw invalidField("timezone", 'must be an IANA time zone, for instance "Europe/Berlin"');
  }
}
