/**
 * What the answer to a link's request depends on, beyond the link. A plain scan gets by without one: its response is
 * all there is. One for every scan would make the handler simpler and the hot path an allocation longer.
 */
import type { HttpResponse } from "../engine/engine.ts";
import { prefersPage } from "../http/negotiation.ts";

export class LinkRequest {
  readonly res: HttpResponse;
  readonly isHead: boolean;
  readonly #accept: string;
  /** When it came and for which slug, if its answer is to be told. */
  readonly watch: Watch | null;
  /** The address or the text that a special link leads to for this visitor. */
  target = "";
  isText = false;

  constructor(res: HttpResponse, isHead: boolean, accept: string | null, watch: Watch | null) {
    this.res = res;
    this.isHead = isHead;
    this.#accept = accept ?? "";
    this.watch = watch;
  }

  get wantsPage(): boolean {
    return prefersPage(this.#accept, "application/json");
  }

  get wantsTextPage(): boolean {
    return prefersPage(this.#accept, "text/plain");
  }
}

export interface Watch {
  /** In lower case; null when what was asked for is none. */
  readonly slug: string | null;
  /** Milliseconds, by the clock of `performance.now`. */
  readonly began: number;
}
