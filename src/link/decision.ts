/**
 * What a scan of a link gets, decided from the link's record and the clock alone.
 *
 * A verdict is a number, since one is made for every scan. An object with the target in it would read better and
 * cost an allocation a scan; so the verdict only names the kind, and whoever answers takes the target from the table.
 */
import type { Millis } from "../runtime/clock.ts";
import { flag, type LinkTable, notPlain, statusArchived, statusBlocked } from "./link-table.ts";
import type { ProjectStates } from "./project-states.ts";

export const verdict = {
  /** The inline target. */
  redirect: 0,
  /** The target of the first rule that matches, or the link's own. */
  special: 1,
  text: 2,
  blocked: 3,
  notFound: 4,
  expired: 5,
  limitReached: 6,
  /** Not known until the store was asked. */
  undecided: 7,
  unavailable: 8,
  /** A robot at a link with a limit: it sees that there is a link, uses nothing up, and learns no target. */
  preview: 9,
} as const;
export type Verdict = (typeof verdict)[keyof typeof verdict];
export const verdicts = Object.keys(verdict) as (keyof typeof verdict)[];

/** Whether the visitor gets what the link is for: those scans count, and no others. */
export function leadsOn(decided: Verdict): boolean {
  return decided <= verdict.text;
}

/** In this order: blocked, archived, project, expiry, limit, rules, target. */
export function decide(table: LinkTable, projects: ProjectStates, slot: number, now: Millis): Verdict {
  const flags = table.flags(slot);
  if (leadsPlainlyOn(table, projects, slot, flags)) return verdict.redirect;
  if ((flags & flag.stale) !== 0 || projects.isUncertain(table.project(slot))) return verdict.undecided;
  const status = flags & flag.status;
  if (status === statusBlocked) return verdict.blocked;
  if (status === statusArchived || projects.isArchived(table.project(slot))) return verdict.notFound;
  if ((flags & flag.expires) !== 0 && now >= table.expiresAt(slot)) return verdict.expired;
  if ((flags & flag.limited) !== 0 && table.total(slot) >= table.limit(slot)) return verdict.limitReached;
  return destinationOf(flags);
}

/** Whether the link leads to its inline target, whoever comes and whenever; most links do. */
export function leadsPlainlyOn(
  table: LinkTable,
  projects: ProjectStates,
  slot: number,
  flags: number,
): boolean {
  return (flags & notPlain) === 0 && !projects.isArchived(table.project(slot));
}

/** In which way a link that is open leads on. */
export function destinationOf(flags: number): Verdict {
  if ((flags & flag.text) !== 0) return verdict.text;
  return (flags & (flag.rules | flag.long)) !== 0 ? verdict.special : verdict.redirect;
}
