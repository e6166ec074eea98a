/**
 * Followers: the members that serve links under an owner's right, as the owner sees them.
 *
 * A follower asks again and again for how long the owner itself may still serve, and may serve for that long from the
 * *sending* of its question. So what followers may lies within what their owner may, and whoever takes over from an owner
 * waits for all of them at once. No clocks are compared.
 *
 * What scans can see is *told* to all followers when it is durable, and its answer leaves when each of them has dropped
 * its copies or serves no more: one whose talk has ended, or that says nothing in time, is given no further time and
 * waited for until what it was given last is over. A follower numbers its talks; when a later one speaks, it has given
 * up the earlier ones by itself.
 *
 * Whoever takes the accounts from an owner that handed them over *inherits* its followers: they may serve on by what that
 * one gave them (`following.ts`), are told of nothing, and so are waited for until they say that it is over.
 *
 * What a follower hands on may arrive late, and must not be done when the follower has told its client that nothing is
 * known of it. So the owner acts for a follower only for some time from its last question that the follower answered
 * before, which it looks at when the request comes and again when it is decided (`account/while-waited-for.ts`); and the
 * follower waits for longer than that before it gives up: the same right, the other way round.
 *
 * Rejected: a document a follower in MongoDB, closed by who evicts it. It takes a write for every member twice a second,
 * and one more before a change can be answered; and it tells nothing that the owner does not know by itself.
 */
import { ackMsMax, evictionWaitMs, rightMs } from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Changed, QuestionKind, Questions } from "./bus/messages.ts";
import type { Talk } from "./bus/talk.ts";
import type { Moment, RightToServe } from "./right-to-serve.ts";

export interface FollowersOptions {
  /** The owner's own. */
  right: Pick<RightToServe, "now" | "leftMs">;
  clock: Clock;
  /** Whether no earlier owner can write any more: until then nobody may build on what is stored. */
  isFenced(): boolean;
  /** One that kept a promise to the owner has left. */
  left(): void;
}

interface Follower {
  readonly peer: string;
  /** Null of one that is inherited. */
  readonly talk: Talk | null;
  /** By its own count; null until it has asked. */
  term: number | null;
  /** When it was last given time; null when it never was. */
  grantedAt: Moment | null;
  /** When it was asked what it answered last. */
  heardAt: Moment | null;
  /** When it was asked for the promise that it made last; null when it made none. */
  promisedAt: Moment | null;
  /** Whether it reaches the database, as it says. */
  reaches: boolean;
  /** All that it counted before is saved, by the wall clock here; null when it has not said. */
  savedUntil: number | null;
  /** It serves no more under this talk. */
  readonly over: Promise<void>;
  end(): void;
}

export class Followers {
  readonly #options: FollowersOptions;
  readonly #followers = new Set<Follower>();
  #isDismissed = false;

  constructor(options: FollowersOptions) {
    this.#options = options;
  }

  /** Of the talks that are open. */
  get size(): number {
    let open = 0;
    for (const { talk } of this.#followers) if (talk?.isOpen) open++;
    return open;
  }

  opened(talk: Talk): void {
    this.#add({ peer: talk.peer, talk, term: null, grantedAt: null });
  }

  /** These may still serve by what an earlier owner gave them, which gives nothing any more. */
  inherit(peers: readonly string[]): void {
    const { clock, right } = this.#options;
    for (const peer of peers) {
      const follower = this.#add({ peer, talk: null, term: 0, grantedAt: right.now() });
      clock.after(evictionWaitMs, () => this.#end(follower));
    }
  }

  #add(known: Pick<Follower, "peer" | "talk" | "term" | "grantedAt">): Follower {
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const nothing = { heardAt: null, promisedAt: null, reaches: false, savedUntil: null };
    const follower = { ...known, ...nothing, over, end };
    this.#followers.add(follower);
    return follower;
  }

  closed(talk: Talk): void {
    const follower = this.#of(talk);
    if (follower === null) return;
    this.#options.left();
    const { clock, right } = this.#options;
    const sinceMs =
      follower.grantedAt === null ? evictionWaitMs : right.now().steady - follower.grantedAt.steady;
    if (sinceMs >= evictionWaitMs) this.#end(follower);
    else clock.after(evictionWaitMs - sinceMs, () => this.#end(follower));
  }

  /** It says that it serves no more, whatever it was given. */
  left(talk: Talk): void {
    for (const follower of this.#followers) if (follower.peer === talk.peer) this.#end(follower);
  }

  /** The answer to a follower's question: how long it may serve from when it asked. */
  grant(talk: Talk, { term, hasEarlier, reaches }: Questions["serve"]["asked"]): number {
    const follower = this.#of(talk);
    if (follower === null) return 0;
    follower.term = term;
    follower.reaches = reaches;
    for (const earlier of this.#followers) {
      const isEarlier = earlier.term !== null && earlier.term < term && earlier.peer === talk.peer;
      if (isEarlier && !hasEarlier) this.#end(earlier);
    }
    const { right, isFenced } = this.#options;
    if (this.#isDismissed || !talk.isOpen || !isFenced()) return 0;
    const ms = Math.min(rightMs, Math.floor(right.leftMs()));
    if (ms > 0) follower.grantedAt = right.now();
    return ms;
  }

  /** It answered what it was asked at this moment. */
  promised(talk: Talk, asked: Moment, { ms, unsavedMs }: Questions["promise"]["answered"]): void {
    const follower = this.#of(talk);
    if (follower === null) return;
    follower.heardAt = asked;
    // It answered later than it was asked, so this is on the safe side: no clocks are compared.
    follower.savedUntil = asked.wall - unsavedMs;
    follower.promisedAt = ms >= rightMs ? asked : null;
  }

  /** It answered something that it was asked at this moment. */
  heard(talk: Talk, asked: Moment): void {
    const follower = this.#of(talk);
    if (follower !== null) follower.heardAt = asked;
  }

  /**
   * Whether whoever hands something on at this moment still waits for it, to be asked again when it is done. What is heard
   * later does not count: the other may hand it on for a third, of which it hears nothing any more.
   */
  waiting(talk: Talk): () => boolean {
    const heardAt = this.#of(talk)?.heardAt ?? null;
    return () => {
      if (heardAt === null) return false;
      const { steady, wall } = this.#options.right.now();
      return steady - heardAt.steady < rightMs && wall - heardAt.wall < rightMs;
    };
  }

  /** Of those that serve, or may still serve: what they counted before this moment is saved. */
  get savedUntil(): number {
    let until = Number.POSITIVE_INFINITY;
    for (const { savedUntil } of this.#followers) until = Math.min(until, savedUntil ?? until);
    return until;
  }

  /** See `LeaseOptions`. */
  promisedSince(now: Moment): Moment | null {
    let since = now;
    for (const { talk, promisedAt } of this.#followers) {
      if (!talk?.isOpen) continue;
      if (promisedAt === null) return null;
      if (promisedAt.steady < since.steady) since = promisedAt;
    }
    return since;
  }

  /** Resolves when no follower serves from a copy of this any more. It is durable already, and `from` knows. */
  async tell(changed: Changed, from: Talk | null = null): Promise<void> {
    await this.#tellAll("changed", changed, from);
  }

  /** Nobody gets any more time. Resolves when nobody serves under this owner; never later than all rights are over. */
  async dismiss(): Promise<void> {
    this.#isDismissed = true;
    await this.#tellAll("ended", { next: null });
  }

  /** Nobody gets any more time. Those who may have some left. */
  letGo(): string[] {
    this.#isDismissed = true;
    const served = [...this.#followers].filter(({ grantedAt }) => grantedAt !== null);
    return [...new Set(served.map(({ peer }) => peer))];
  }

  /** Those that serve under this owner and can be spoken with; by whether they reach the database. */
  reachable(reaches = true): Talk[] {
    return [...this.#followers].flatMap((follower) =>
      follower.talk?.isOpen && follower.grantedAt !== null && follower.reaches === reaches
        ? [follower.talk]
        : [],
    );
  }

  /** Resolves when all who can be spoken with have heard it; the others are cut off. */
  async let<K extends "hold" | "ended">(kind: K, asked: Questions[K]["asked"]): Promise<void> {
    await Promise.all([...this.#followers].map(({ talk }) => talk && this.#heard(talk, kind, asked)));
  }

  /** This process owns anew. */
  restart(): void {
    this.#isDismissed = false;
  }

  /** Who has not heard is waited for. */
  async #tellAll<K extends QuestionKind>(
    kind: K,
    asked: Questions[K]["asked"],
    from: Talk | null = null,
  ): Promise<void> {
    const all = [...this.#followers].map(async ({ talk, over }) => {
      if (talk !== null && talk === from) return;
      if (talk === null || !(await this.#heard(talk, kind, asked))) await over;
    });
    await Promise.all(all);
  }

  async #heard<K extends QuestionKind>(talk: Talk, kind: K, asked: Questions[K]["asked"]): Promise<boolean> {
    if (!talk.isOpen) return false;
    const cancel = this.#options.clock.after(ackMsMax, () => talk.close("it did not say that it has heard"));
    try {
      await talk.ask(kind, asked);
      return true;
    } catch {
      talk.close("it could not do what it was told");
      return false;
    } finally {
      cancel();
    }
  }

  #of(talk: Talk): Follower | null {
    for (const follower of this.#followers) if (follower.talk === talk) return follower;
    return null;
  }

  #end(follower: Follower): void {
    this.#followers.delete(follower);
    follower.end();
  }
}
