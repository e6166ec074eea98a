/**
 * Following: what a member may serve under another that owns.
 *
 * The right comes with the owner's answers (`followers.ts`) and goes with the session. What was loaded outside of a
 * session, or in an earlier one, may have changed without a word: so with the first answer of a session all copies are
 * dropped. Not before: until the owner has answered it need not know of the session, and would not tell.
 */
import type { Session } from "./bus/session.ts";
import type { RightToServe } from "./right-to-serve.ts";

export interface FollowingOptions {
  right: RightToServe;
  /** Drops everything that was loaded, and whatever is being loaded. */
  dropCopies(): void;
}

export class Following {
  readonly #options: FollowingOptions;
  #session: Session | null = null;
  #term = 0;
  #isFresh = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** That with the owner, as long as there is one. */
  get session(): Session | null {
    return this.#session;
  }

  opened(session: Session): void {
    this.#leave();
    this.#session = session;
    this.#term++;
  }

  closed(session: Session): void {
    if (this.#session === session) this.#leave();
  }

  /** To be called again and again. */
  ask(session: Session): void {
    const sent = this.#options.right.now();
    session.ask("serve", { term: this.#term }).then(
      ({ said }) => {
        if (this.#session === session && said.ms > 0) this.#granted(sent, said.ms);
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
    this.#session = null;
    this.#isFresh = false;
    this.#options.right.revoke();
  }
}
