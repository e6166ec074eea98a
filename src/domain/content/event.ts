/** An event as iCalendar (RFC 5545). Moments are told in UTC, so no zone has to be described. */
import { parseTimestamp } from "../timestamps.ts";
import { escaped } from "./contact.ts";
import { ContentError, flagIn, type Given, lineIn, required, textIn } from "./fields.ts";

const dayMs = 86_400_000;

export function event(given: Given): string {
  const title = required(lineIn(given, "title", 200), "title");
  const isAllDay = flagIn(given, "all_day");
  const read = isAllDay ? dayIn : momentIn;
  const start = read(required(lineIn(given, "start", 40), "start"), "start");
  const endText = lineIn(given, "end", 40);
  const end = endText === "" ? null : read(endText, "end");
  if (end !== null && (isAllDay ? end < start : end <= start)) {
    throw new ContentError("end", isAllDay ? "must not be before start" : "must be after start");
  }
  const [location, description] = [lineIn(given, "location", 200), textIn(given, "description", 500)];
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//qrelay//EN",
    "BEGIN:VEVENT",
    `UID:${moment(start)}-${sumOf(title)}@qrelay`,
    `DTSTAMP:${moment(start)}`,
    isAllDay ? `DTSTART;VALUE=DATE:${day(start)}` : `DTSTART:${moment(start)}`,
    // The last day of an event is the first one that it does not have.
    ...(end === null ? [] : [isAllDay ? `DTEND;VALUE=DATE:${day(end + dayMs)}` : `DTEND:${moment(end)}`]),
    `SUMMARY:${escaped(title)}`,
    ...(location === "" ? [] : [`LOCATION:${escaped(location)}`]),
    ...(description === "" ? [] : [`DESCRIPTION:${escaped(description)}`]),
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

function momentIn(text: string, field: string): number {
  try {
    return parseTimestamp(field, text);
  } catch {
    throw new ContentError(field, "must be a time with a zone, like 2030-01-31T18:00Z");
  }
}

function dayIn(text: string, field: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // A day that no month has is moved to the next month by some.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(text)) {
    throw new ContentError(field, "must be a day, like 2030-01-31");
  }
  return at;
}

function moment(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
}

function day(at: number): string {
  return moment(at).slice(0, 8);
}

/** Tells events of one moment apart; the same content always gives the same image. */
function sumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16);
}
