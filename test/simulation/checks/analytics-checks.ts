/**
 * What the analytics owe: every counted scan is in them once, in the hours of its code, its project and its account,
 * and in no other hour than the one it was made in.
 */

import { beginOf } from "../../../src/domain/analytics/link-scans.ts";
import { scansIn } from "../../../src/domain/analytics/tally.ts";
import type { ScanHourDoc, Tally } from "../../../src/domain/documents.ts";
import type { Database } from "../../fakes/database.ts";
import type { Scene } from "../scene.ts";
import { type CodeRecord, require } from "./ledger.ts";

const ever = { from: 0, to: 8e15 };

export function checkAnalytics(world: Scene): void {
  const { database } = world.store;
  const due = new Map<string, number>();
  for (const code of world.ledger.codes.values()) {
    const hours = hoursOf(database, code.slug);
    const total = sum(hours);
    const count = database.scanCount(code.slug);
    require(total === count, () =>
      `the hours of ${code.id} have ${total} scans, and it was scanned ${count} times`);
    for (const hour of hours) checkHour(code, hour);
    const { project_id, account_id } = database.codeBySlug(code.slug)!;
    for (const of of [project_id, account_id]) due.set(of, (due.get(of) ?? 0) + total);
  }
  for (const [of, scans] of due) {
    const total = sum(hoursOf(database, of));
    require(total === scans, () => `the hours of ${of} have ${total} scans, those of its codes ${scans}`);
  }
}

function hoursOf(database: Database, of: string): ScanHourDoc[] {
  return database.scanHours(of, ever, Number.POSITIVE_INFINITY);
}

function sum(hours: readonly ScanHourDoc[]): number {
  return hours.reduce((all, hour) => all + scansIn(hour), 0);
}

function checkHour({ id, scans }: CodeRecord, hour: ScanHourDoc): void {
  const most = scans.sentIn(beginOf(hour));
  require(scansIn(hour) <= most, () =>
    `${hour.id} of ${id} has ${scansIn(hour)} scans, ${most} were sent in it`);
  for (const tally of [hour.people, hour.robots]) if (tally !== null) checkTally(hour.id, tally);
}

function checkTally(id: string, { total, countries, devices, referrers }: Tally): void {
  for (const counts of [countries, devices, referrers]) {
    const scans = Object.values(counts).reduce((all, count) => all + count, 0);
    require(scans === total, () => `${id} has ${total} scans, and ${scans} by name`);
  }
}
