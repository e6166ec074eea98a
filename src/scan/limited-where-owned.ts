/**
 * Scans of limited links among members: each is decided where its account is, which may be here now and elsewhere before
 * the next one comes.
 *
 * What is loaded of a link whose account came here may have been counted on elsewhere since: so it is read again, once,
 * before its first scan is decided. Rejected: to mark all links of a partition when it comes, which takes a walk through
 * the whole table.
 */
import type { CountedVisitor } from "../analytics/visitor-word.ts";
import { takenLinksMax } from "../limits.ts";
import { type Verdict, verdict } from "../link/decision.ts";
import { type SlugKey, slugOfKey } from "../link/slug.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { LimitedElsewhere } from "./limited-elsewhere.ts";
import type { LimitedCounter } from "./limited-scans.ts";

/** Of the accounts, as far as scans are concerned. */
export interface AccountPlaces {
  partitionOf(accountId: string): number;
  /** False when it is not decided here; otherwise `leave` is owed. */
  enter(partition: number): boolean;
  leave(partition: number): void;
  /** How often the partition has come here. */
  taken(partition: number): number;
}

export interface WhereOwnedOptions {
  here: LimitedCounter;
  elsewhere: LimitedElsewhere;
  places: AccountPlaces;
  /** Of a link that is loaded. */
  accountOf(key: SlugKey): string | null;
  /** Serve it from the store again. */
  forget(slug: string): void;
  /** Null when it is loaded and fresh, otherwise what its scans get. */
  load(key: SlugKey): Promise<Verdict | null>;
}

export class LimitedWhereOwned implements LimitedCounter {
  readonly #options: WhereOwnedOptions;
  /** Links that were read again since their partition came, and which time that was. */
  readonly #readAgain = new BoundedMap<SlugKey, number>(takenLinksMax);

  readonly #reading = new Map<SlugKey, { taken: number; read: Promise<Verdict | null> }>();

  constructor(options: WhereOwnedOptions) {
    this.#options = options;
  }

  isSaving(slot: number): boolean {
    return this.#options.here.isSaving(slot);
  }

  async count(key: SlugKey, visitor: CountedVisitor): Promise<Verdict> {
    const { elsewhere, places } = this.#options;
    const partition = this.#partitionOf(key);
    if (partition === null) return verdict.undecided;
    if (!places.enter(partition)) return elsewhere.count(partition, key, visitor);
    try {
      return await this.countHere(key, visitor);
    } finally {
      places.leave(partition);
    }
  }

  /** For who has entered. */
  async countHere(key: SlugKey, visitor: CountedVisitor): Promise<Verdict> {
    const partition = this.#partitionOf(key);
    if (partition === null) return verdict.undecided;
    const taken = this.#options.places.taken(partition);
    if (this.#readAgain.get(key) !== taken) {
      const refused = await this.#read(key, taken);
      if (refused !== null) return refused;
    }
    return this.#options.here.count(key, visitor);
  }

  /** Once, however many wait: a link that is forgotten again and again is never decided. */
  #read(key: SlugKey, taken: number): Promise<Verdict | null> {
    const underWay = this.#reading.get(key);
    if (underWay?.taken === taken) return underWay.read;
    this.#options.forget(slugOfKey(key));
    const reading = { taken, read: this.#options.load(key) };
    this.#reading.set(key, reading);
    void reading.read.then((refused) => {
      if (refused === null) this.#readAgain.set(key, taken);
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    });
    return reading.read;
  }

  #partitionOf(key: SlugKey): number | null {
    const account = this.#options.accountOf(key);
    return account === null ? null : this.#options.places.partitionOf(account);
  }
}
