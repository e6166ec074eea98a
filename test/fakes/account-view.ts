/** Commands on an account that exists only in the test: what they need, what they see, what they would write. */
import assert from "node:assert/strict";
import { builtInPlans, effectiveLimits, type Plans, planOf } from "../../src/domain/account/plans.ts";
import type { AccountView, Command, Effect } from "../../src/domain/command.ts";
import type { AccountDoc, AnswerDoc, CodeDoc, KeyDoc, ProjectDoc } from "../../src/domain/documents.ts";
import { ApiError } from "../../src/domain/errors.ts";
import type { Random } from "../../src/runtime/random.ts";
import { sampleAccount, sampleProject } from "./sample-documents.ts";

export interface Belongings {
  account?: Partial<AccountDoc>;
  plans?: Plans;
  keys?: KeyDoc[];
  projects?: ProjectDoc[];
  codes?: CodeDoc[];
  answers?: AnswerDoc[];
}

export const commandTime = Date.UTC(2031, 4, 6, 7, 8, 9);

/** Bytes that differ, so that a part that is left out or taken twice shows. */
export const countedRandom: Random = (bytes) => Uint8Array.from({ length: bytes }, (_, index) => index);

/** Runs a command as an actor does: it may look only at what it said it needs. */
export function applied<R>(command: Command<R>, owned: Belongings = {}, now = commandTime): Effect<R> {
  const account = sampleAccount(owned.account);
  const { plans = builtInPlans, projects = [sampleProject()], keys = [], codes = [], answers = [] } = owned;
  const needs = [...command.needs(account)];
  const lookUp = <T extends { id: string }>(collection: string, documents: readonly T[]) => {
    return (id: string): T | null => {
      if (!needs.some((need) => need.collection === collection && need.id === id)) {
        throw new Error(`looked at ${collection}/${id}, which is not among its needs`);
      }
      return documents.find((document) => document.id === id) ?? null;
    };
  };
  const view: AccountView = {
    account,
    plan: planOf(account, plans),
    limits: effectiveLimits(account, plans),
    plans,
    keys: new Map(keys.map((key) => [key.id, key])),
    project: lookUp("projects", projects),
    code: lookUp("codes", codes),
    answer: lookUp("answers", answers),
  };
  return command.apply(view, now);
}

/** The code and the message of the refusal that a command ends in, or "accepted". */
export function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (cause) {
    assert.ok(cause instanceof ApiError, String(cause));
    return `${cause.code}: ${cause.message}`;
  }
  return "accepted";
}

/** What a refusal says, with its code; a text is all of it. */
export function assertRefusal(expected: string | RegExp, run: () => unknown): void {
  if (typeof expected === "string") assert.equal(refusalOf(run), expected);
  else assert.match(refusalOf(run), expected);
}
