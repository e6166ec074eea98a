import type { Millis } from "../runtime/clock.ts";
import { invalidField } from "./errors.ts";

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d))$/i;

/** What a client is told that sent anything else, whatever its type. */
export const timestampHint = "an ISO 8601 date and time with a zone (like 2030-01-31T12:00:00Z)";

const earliest: Millis = Date.parse("0000-01-01T00:00:00.000Z");
const latest: Millis = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * An ISO 8601 date and time with a zone. `Date.parse` is not used: it takes local times, and in other
 * engines and versions dates that do not exist. Digits beyond the millisecond are cut off.
 */
export function parseTimestamp(path: string, value: string): Millis {
  const found = shape.exec(value);
  if (found === null) {
    throw invalidField(path, `must be ${timestampHint}`);
  }
  const at = (place: number) => Number(found[place] ?? 0);
  const [year, month, day, hour, minute, second] = [at(1), at(2), at(3), at(4), at(5), at(6)];
  const fraction = Number((found[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const [zoneHour, zoneMinute] = [at(9), at(10)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) {
    throw invalidField(path, "has a time or an offset that does not exist");
  }

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A month or a day that does not exist always ends up in another month.
  if (date.getUTCMonth() !== month - 1) {
    throw invalidField(path, "has a date that does not exist");
  }
  date.setUTCHours(hour, minute, second, fraction);
  const east = (zoneHour * 60 + zoneMinute) * (found[8] === "-" ? -1 : 1);
  const millis = date.getTime() - east * 60_000;
  if (millis < earliest || millis > latest) {
    throw invalidField(path, "must lie in the years 0000 to 9999, UTC");
  }
  return millis;
}

let lastMillis: Millis = 0;
let lastText = new Date(0).toISOString();

/** With milliseconds and `Z`, as every answer shows it. What is made at one moment has the same time in many places. */
export function iso(millis: Millis): string {
  if (millis !== lastMillis) {
    lastText = new Date(millis).toISOString();
    lastMillis = millis;
  }
  return lastText;
}
