/**
 * Scans of limited links where another member owns the account: that one decides and counts.
 *
 * All of a partition that come in one turn of the loop go together. What was sent is never sent again: whether it was counted is not
 * known when no answer comes, and a second count would be one scan less for somebody else. Such a scan gets no target.
 */
import type { CountedVisitor } from "../analytics/visitor-word.ts";
import { limitedBatchMax } from "../limits.ts";
import { type Verdict, verdict, verdicts } from "../link/decision.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";

/** The slug, what is kept of the visitor, and the header `Referer` as it came. */
export type LimitedScan = readonly [slug: string, visitor: number, referer: string];

/** The verdicts of who decides for the partition, one a scan. Rejects when it is not known, or does not answer. */
export type AskOwner = (partition: number, scans: readonly LimitedScan[]) => Promise<readonly number[]>;

interface Waiting {
  partition: number;
  scan: LimitedScan;
  resolve(decided: Verdict): void;
}

export class LimitedElsewhere {
  readonly #ask: AskOwner;
  readonly #onFailure: (cause: unknown) => void;
  #waiting: Waiting[] = [];

  constructor(ask: AskOwner, onFailure: (cause: unknown) => void) {
    this.#ask = ask;
    this.#onFailure = onFailure;
  }

  count(partition: number, key: SlugKey, visitor: CountedVisitor): Promise<Verdict> {
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#sendAll());
      this.#waiting.push({ partition, scan: [slugOfKey(key), visitor.word(), visitor.referer()], resolve });
    });
  }

  #sendAll(): void {
    const all = new Map<number, Waiting[]>();
    for (const scan of this.#waiting) {
      const others = all.get(scan.partition);
      if (others === undefined) all.set(scan.partition, [scan]);
      else others.push(scan);
    }
    this.#waiting = [];
    for (const [partition, scans] of all) {
      for (let at = 0; at < scans.length; at += limitedBatchMax)
        void this.#send(partition, scans.slice(at, at + limitedBatchMax));
    }
  }

  async #send(partition: number, batch: readonly Waiting[]): Promise<void> {
    let decided: readonly number[] = [];
    try {
      decided = await this.#ask(
        partition,
        batch.map(({ scan }) => scan),
      );
    } catch (cause) {
      this.#onFailure(cause);
    }
    for (const [at, { resolve }] of batch.entries()) resolve(verdictOf(decided[at]));
  }
}

function verdictOf(number: number | undefined): Verdict {
  return number !== undefined && number in verdicts ? (number as Verdict) : verdict.unavailable;
}
