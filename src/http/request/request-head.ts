/**
 * The header lines of a request that the service reads, taken in one pass.
 *
 * Asked for one header, uWebSockets.js gives the first line of that name, and the same nothing when there is none
 * and when the line is empty. Where a message ends and where it came from must not be decided on half of what it
 * says, so every line is seen. The pass takes the place of asking for each header by itself. Scans have a pass of
 * their own (`redirect/link-head.ts`): one with few lines costs what asking does, one with a dozen some four microseconds
 * more.
 *
 * Several lines of a name that is a list, or that says where the message ends, are one list, as HTTP has it:
 * whoever wants one number then sees that it is none. A proxy may add a line of its own below its client's
 * instead of lengthening it, so all lines of `X-Forwarded-For` count. Of any other name the first line counts,
 * but for the country, of which two lines are as good as none.
 */
import type { HttpRequest } from "../../engine/engine.ts";

/** Null when no line has the name. */
export type Value = string | null;

export class RequestHead {
  "transfer-encoding": Value = null;
  "content-length": Value = null;
  "x-forwarded-for": Value = null;
  accept: Value = null;
  purpose: Value = null;
  referer: Value = null;
  "x-api-key": Value = null;
  "user-agent": Value = null;
  "sec-purpose": Value = null;
  "content-type": Value = null;
  authorization: Value = null;
  "if-none-match": Value = null;
  "accept-encoding": Value = null;
  "idempotency-key": Value = null;

  /** What was read before is forgotten. */
  read(req: HttpRequest): this {
    this.#clear();
    reading = this;
    req.forEach(take);
    return this;
  }

  #clear(): void {
    this["transfer-encoding"] = null;
    this["content-length"] = null;
    this["x-forwarded-for"] = null;
    this.accept = null;
    this.purpose = null;
    this.referer = null;
    this["x-api-key"] = null;
    this["user-agent"] = null;
    this["sec-purpose"] = null;
    this["content-type"] = null;
    this.authorization = null;
    this["if-none-match"] = null;
    this["accept-encoding"] = null;
    this["idempotency-key"] = null;
  }
}

export type HeaderName = Exclude<keyof RequestHead, "read">;

/** The head that `take` fills; here, so that no request needs a closure. */
let reading: RequestHead;

/** By length first: most lines are of no interest, and names of equal length are few. */
function take(name: string, value: string): void {
  switch (name.length) {
    case 6:
      if (name === "accept") reading.accept ??= value;
      break;
    case 7:
      if (name === "referer") reading.referer ??= value;
      else if (name === "purpose") reading.purpose ??= value;
      break;
    case 9:
      if (name === "x-api-key") reading["x-api-key"] ??= value;
      break;
    case 10:
      if (name === "user-agent") reading["user-agent"] ??= value;
      break;
    case 11:
      if (name === "sec-purpose") reading["sec-purpose"] ??= value;
      break;
    case 12:
      if (name === "content-type") reading["content-type"] ??= value;
      break;
    case 13:
      if (name === "authorization") reading.authorization ??= value;
      else if (name === "if-none-match") reading["if-none-match"] ??= value;
      break;
    case 14:
      if (name === "content-length") addTo("content-length", value);
      break;
    case 15:
      if (name === "x-forwarded-for") addTo("x-forwarded-for", value);
      else if (name === "accept-encoding") reading["accept-encoding"] ??= value;
      else if (name === "idempotency-key") reading["idempotency-key"] ??= value;
      break;
    case 17:
      if (name === "transfer-encoding") addTo("transfer-encoding", value);
      break;
  }
}

function addTo(name: "content-length" | "x-forwarded-for" | "transfer-encoding", value: string): void {
  reading[name] = joinedLines(reading[name], value);
}

/** A line behind those of its name that came before. */
export function joinedLines(earlier: Value, line: string): string {
  return earlier === null ? line : `${earlier}, ${line}`;
}
