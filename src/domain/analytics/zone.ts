/**
 * The calendar of a time zone, for stretches of whole hours, UTC.
 *
 * An hour belongs to the local day in which it begins. That is exact wherever clocks differ from UTC by whole hours; in
 * zones of half and quarter hours the hour that a local day begins in is counted to the day before. Rejected: counting
 * scans by the quarter of an hour, which would store four times as much for everybody.
 *
 * Offsets are asked of Intl for the begin of a day, UTC, and kept; hour by hour they are asked for days on which
 * clocks were changed.
 */

import { offsetDaysMax, offsetZonesMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Millis } from "../../runtime/clock.ts";
import { clockFace, offsetMinutes } from "../account/timezone.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const minuteMs = 60_000;

const zones = new BoundedMap<string, Zone>(offsetZonesMax);

/** The name must be that of a zone. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new Zone(name);
    zones.set(name, zone);
  }
  return zone;
}

export class Zone {
  readonly #clock: Intl.DateTimeFormat;
  /** By day, UTC: one offset in milliseconds, or those of its hours. */
  readonly #offsets = new BoundedMap<number, number | readonly number[]>(offsetDaysMax);
  readonly #begins = new BoundedMap<number, number>(offsetDaysMax);

  constructor(name: string) {
    this.#clock = clockFace(name);
  }

  /** What has to be added to the begin of an hour, UTC, for the local time. */
  offset(hour: Millis): Millis {
    const day = Math.floor(hour / dayMs);
    let offsets = this.#offsets.get(day);
    if (offsets === undefined) {
      offsets = this.#offsetsOf(day);
      this.#offsets.set(day, offsets);
    }
    return typeof offsets === "number" ? offsets : offsets[(hour - day * dayMs) / hourMs]!;
  }

  /** The local day in which an hour begins, in days since the epoch. */
  day(hour: Millis): number {
    return Math.floor((hour + this.offset(hour)) / dayMs);
  }

  /** The hour of the local week in which an hour begins: 0 is Monday, 0:00, and 167 the last. */
  hourOfWeek(hour: Millis): number {
    // The epoch fell on a Thursday, three days into a week.
    const local = Math.floor((hour + this.offset(hour)) / hourMs) + 3 * 24;
    return ((local % 168) + 168) % 168;
  }

  /** The first moment of a local day. Where clocks skip midnight that is not midnight. */
  startOfDay(day: number): Millis {
    const midnight = day * dayMs;
    const before = midnight - this.#offsetBegin(day - 1);
    const after = midnight - this.#offsetBegin(day + 1);
    if (before === after) return before;
    const earlier = Math.min(before, after);
    return earlier + this.#ask(earlier) >= midnight ? earlier : Math.max(before, after);
  }

  #offsetsOf(day: number): number | readonly number[] {
    const first = this.#offsetBegin(day);
    if (this.#offsetBegin(day + 1) === first) return first;
    return Array.from({ length: 24 }, (_, hour) => this.#ask(day * dayMs + hour * hourMs));
  }

  #offsetBegin(day: number): Millis {
    let offset = this.#begins.get(day);
    if (offset === undefined) {
      offset = this.#ask(day * dayMs);
      this.#begins.set(day, offset);
    }
    return offset;
  }

  #ask(at: Millis): Millis {
    return offsetMinutes(this.#clock, at) * minuteMs;
  }
}
