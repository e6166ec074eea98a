/**
 * A command: one change to, or one look at, what an account owns.
 *
 * `needs` names the documents it will look at; the actor loads them first, and that is the only place that
 * waits for a read. `apply` is synchronous: it checks, decides, and says what to write. Two commands of one
 * account can therefore never interleave in a decision.
 */
import type { Millis } from "../runtime/clock.ts";
import type { Plan, Plans } from "./account/plans.ts";
import type { AccountDoc, AnswerDoc, CodeDoc, KeyDoc, PlanLimits, ProjectDoc, Write } from "./documents.ts";

export type Need = { collection: "codes" | "projects" | "answers"; id: string };

export interface AccountView {
  readonly account: AccountDoc;
  /** Throws a refusal when the account's plan is not configured, and so do its limits. */
  readonly plan: Plan;
  readonly limits: PlanLimits;
  /** All that are configured. */
  readonly plans: Plans;
  readonly keys: ReadonlyMap<string, KeyDoc>;
  /** The account's own documents, null for anything else. Only what the command named in `needs`. */
  project(id: string): ProjectDoc | null;
  code(id: string): CodeDoc | null;
  answer(id: string): AnswerDoc | null;
}

/** What a command comes to: its answer, and what has to be stored for it to be true. */
export interface Effect<R> {
  answer: R;
  writes: Write[];
}

export interface Command<R> {
  needs(account: AccountDoc): Need[];
  /** Throws an `ApiError` to refuse; nothing is changed then. */
  apply(view: AccountView, now: Millis): Effect<R>;
}

/** One that needs nothing beyond the account and its keys. */
export function onAccount<R>(apply: Command<R>["apply"]): Command<R> {
  return { needs: () => [], apply };
}
