/**
 * What a trusted proxy says of its client. A proxy may add a line of its own below the client's instead of
 * lengthening it, so every line counts: the library's look-up by name gives the first only, which is the client's
 * word. Walking all headers costs a few microseconds; it is only done for peers that are believed.
 */
import type { HttpRequest } from "../engine/engine.ts";

export class ForwardedHeaders {
  /** All lines of `X-Forwarded-For` as one list, in the order in which they came. */
  forwardedFor = "";
  /** The value of the country header; empty when there is none, or more than one to choose from. */
  country = "";
  readonly #countryHeader: string | null;
  #countryLines = 0;
  #forwardedLines = 0;

  /** The name of the country header, in lower case. */
  constructor(countryHeader: string | null) {
    this.#countryHeader = countryHeader;
  }

  /** Reads the headers of a request; one object serves many, one after the other. */
  read(req: HttpRequest): void {
    this.forwardedFor = "";
    this.country = "";
    this.#countryLines = 0;
    this.#forwardedLines = 0;
    req.forEach(this.#take);
  }

  readonly #take = (name: string, value: string): void => {
    if (name === "x-forwarded-for") {
      this.forwardedFor = this.#forwardedLines++ === 0 ? value : `${this.forwardedFor},${value}`;
    }
    if (name === this.#countryHeader) this.country = this.#countryLines++ === 0 ? value : "";
  };
}
