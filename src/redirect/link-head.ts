/**
 * What a link's answer depends on of its request's header lines, taken in one pass.
 *
 * It does for scans what `RequestHead` does for everything else, and keeps less. A new text that is put into an object as
 * old as this one costs a note to the collector, and most texts would never be looked at. So of the user agent, which every
 * visitor sends, only what it says is kept, looked up where its line is handed over; and `Accept`, which does not matter to
 * a redirect, is asked for by name where it does.
 */
import type { HttpRequest } from "../engine/engine.ts";
import { joinedLines, type Value } from "../http/request/request-head.ts";
import { type Agent, Agents } from "../visitor/agent.ts";

export class LinkHead {
  /** Whether a line says anything of a body. */
  namesBody = false;
  agent: Agent | null = null;
  referer: Value = null;
  purpose: Value = null;
  secPurpose: Value = null;
  forwardedFor: Value = null;
  /** The value of the country header; empty when there is none, or more than one to choose from. */
  country = "";
  readonly agents = new Agents();
  readonly #countryHeader: string | null;
  #countryLines = 0;

  /** The name of the country header, in lower case. */
  constructor(countryHeader: string | null) {
    this.#countryHeader = countryHeader;
  }

  /** What was read before is forgotten. */
  read(req: HttpRequest): this {
    this.namesBody = false;
    this.agent = null;
    this.referer = null;
    this.purpose = null;
    this.secPurpose = null;
    this.forwardedFor = null;
    reading = this;
    if (this.#countryHeader === null) req.forEach(take);
    else {
      this.country = "";
      this.#countryLines = 0;
      req.forEach(takeWithCountry);
    }
    return this;
  }

  takeCountry(name: string, value: string): void {
    if (name === this.#countryHeader) this.country = this.#countryLines++ === 0 ? value : "";
  }
}

/** The head that `take` fills; here, so that no request needs a closure. */
let reading: LinkHead;

function takeWithCountry(name: string, value: string): void {
  take(name, value);
  reading.takeCountry(name, value);
}

/** By length first: most lines are of no interest, and names of equal length are few. */
function take(name: string, value: string): void {
  switch (name.length) {
    case 7:
      if (name === "referer") reading.referer ??= value;
      else if (name === "purpose") reading.purpose ??= value;
      break;
    case 10:
      if (name === "user-agent") reading.agent ??= reading.agents.of(value);
      break;
    case 11:
      if (name === "sec-purpose") reading.secPurpose ??= value;
      break;
    case 14:
      if (name === "content-length") reading.namesBody = true;
      break;
    case 15:
      if (name === "x-forwarded-for") reading.forwardedFor = joinedLines(reading.forwardedFor, value);
      break;
    case 17:
      if (name === "transfer-encoding") reading.namesBody = true;
      break;
  }
}
