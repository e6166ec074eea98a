/**
 * Following: what a member may serve under another that owns.
 *
 * The right comes with the owner's answers (`followers.ts`) and goes with the talk. What was loaded outside of a
 * talk, or in an earlier one, may have changed without a word: so with the first answer of a talk all copies are
 * dropped. Not before: until the owner has answered it need not know of the talk, and would not tell.
 */
import type { Talk } from "./bus/talk.ts";
import type { RightToServe } from "./right-to-serve.ts";

export interface FollowingOptions {
  right: RightToServe;
  /** Drops everything that was loaded, and whatever is being loaded. */
  dropCopies(): void;
}

export class Following {
  readonly #options: FollowingOptions;
  #talk: Talk | null = null;
  #term = 0;
  #isFresh = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** That with the owner, as long as there is one. */
  get talk(): Talk | null {
    return this.#talk;
  }

  opened(talk: Talk): void {
    this.#leave();
    this.#talk = talk;
    this.#term++;
  }

  closed(talk: Talk): void {
    if (this.#talk === talk) this.#leave();
  }

  /** To be called again and again. */
  ask(talk: Talk): void {
    const sent = this.#options.right.now();
    talk.ask("serve", { term: this.#term }).then(
      ({ said }) => {
        if (this.#talk === talk && said.ms > 0) this.#granted(sent, said.ms);
      },
      () => {},
    );
  }

  /** The owner gives no more time. */
  ended(): void {
    this.#options.right.revoke();
  }

  #granted(sent: ReturnType<RightToServe["now"]>, ms: number): void {
    const { right, dropCopies } = this.#options;
    if (!this.#isFresh) dropCopies();
    this.#isFresh = true;
    right.grant(sent, ms);
  }

  #leave(): void {
    this.#talk = null;
    this.#isFresh = false;
    this.#options.right.revoke();
  }
}
