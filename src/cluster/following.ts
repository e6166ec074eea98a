/**
 * Following: what a member may serve under another that owns.
 *
 * The right comes with the owner's answers (`followers.ts`) and goes with the talk. What was loaded outside of a
 * talk, or in an earlier one, may have changed without a word: so with the first answer of a talk all copies are
 * dropped. Not before: until the owner has answered it need not know of the talk, and would not tell. An owner that owns
 * under another epoch than before is another one: somebody else may have owned in between.
 *
 * An owner that *hands over* leaves its followers what they have of the right: they serve on by it until the next owner
 * answers. That one waits for them with its first change, until they say that they have nothing of an earlier right.
 */
import type { Questions } from "./bus/messages.ts";
import type { Talk } from "./bus/talk.ts";
import type { Moment, RightToServe } from "./right-to-serve.ts";

export interface FollowingOptions {
  right: RightToServe;
  /** Drops everything that was loaded, and whatever is being loaded. */
  dropCopies(): void;
  /** Whether this process reaches the database. */
  reaches?(): boolean;
  /** The owner answered what it was asked at this moment. */
  answered?(talk: Talk, asked: Moment, answer: Questions["serve"]["answered"]): void;
}

export class Following {
  readonly #options: FollowingOptions;
  #talk: Talk | null = null;
  #term = 0;
  /** Of the owner under whose right all copies were loaded; null when there may be others. */
  #freshUnder: number | null = null;
  /** What is left of the right does not end with the talk. */
  #isHandedOver = false;

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
    const { right, reaches = () => true } = this.#options;
    const sent = right.now();
    const hasEarlier = this.#freshUnder === null && right.isHeld();
    talk.ask("serve", { term: this.#term, hasEarlier, reaches: reaches() }).then(
      ({ said }) => {
        this.#options.answered?.(talk, sent, said);
        if (this.#talk !== talk || said.ms <= 0) return;
        this.#granted(sent, said);
        // The owner may wait to hear that it is over.
        if (hasEarlier) this.ask(talk);
      },
      () => {},
    );
  }

  /** The owner gives no more time. */
  ended(): void {
    this.#isHandedOver = false;
    this.#options.right.revoke();
  }

  /** The owner will give no more time, and another will. */
  handedOver(): void {
    this.#isHandedOver = true;
  }

  #granted(sent: Moment, { ms, epoch }: Questions["serve"]["answered"]): void {
    const { right, dropCopies } = this.#options;
    if (this.#freshUnder === null || this.#freshUnder !== epoch) {
      dropCopies();
      right.revoke();
      this.#isHandedOver = false;
    }
    this.#freshUnder = epoch;
    right.grant(sent, ms);
  }

  #leave(): void {
    this.#talk = null;
    this.#freshUnder = null;
    if (!this.#isHandedOver) this.#options.right.revoke();
  }
}
