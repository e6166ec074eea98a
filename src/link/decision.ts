import type { Millis } from "../runtime/clock.ts";
import { flag, type LinkTable, notPlain, statusArchived, statusBlocked } from "./link-table.ts";
import type { Projects } from "./project-states.ts";

/** What a scan gets. Numbers, since one is made for every scan. */
export const outcome = {
  /** The inline target. */
  redirect: 0,
  /** The target of the first rule that matches, or the link's own. */
  special: 1,
  text: 2,
  blocked: 3,
  notFound: 4,
  expired: 5,
  limitReached: 6,
  /** Not known until the link is loaded again. */
  stale: 7,
  unavailable: 8,
} as const;
export type Outcome = (typeof outcome)[keyof typeof outcome];
export const outcomes = Object.keys(outcome) as (keyof typeof outcome)[];

/** In this order: blocked, archived, project, expiry, limit, rules, target. */
export function decide<Rules>(
  table: LinkTable<Rules>,
  projects: Projects,
  slot: number,
  now: Millis,
): Outcome {
  const flags = table.flags(slot);
  if ((flags & notPlain) === 0) {
    if (!projects.isArchived(table.project(slot))) return outcome.redirect;
    return projects.isUncertain(table.project(slot)) ? outcome.stale : outcome.notFound;
  }
  if ((flags & flag.stale) !== 0 || projects.isUncertain(table.project(slot))) return outcome.stale;
  const status = flags & flag.status;
  if (status === statusBlocked) return outcome.blocked;
  if (status === statusArchived || projects.isArchived(table.project(slot))) return outcome.notFound;
  if ((flags & flag.expires) !== 0 && now >= table.expiresAt(slot)) return outcome.expired;
  if ((flags & flag.limited) !== 0 && table.count(slot) >= table.limit(slot)) return outcome.limitReached;
  return destinationOf(flags);
}

/** In which way a link that is open leads on. */
export function destinationOf(flags: number): Outcome {
  if ((flags & flag.text) !== 0) return outcome.text;
  return (flags & (flag.rules | flag.long)) !== 0 ? outcome.special : outcome.redirect;
}
