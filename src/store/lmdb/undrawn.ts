/**
 * New codes that wait for their first image, without an entry in an index for each.
 *
 * Whoever starts has to find what was not drawn. An entry for each new code is some four hundredths of what a create costs, and
 * is mostly removed a moment later. So new codes get none: there is a place among the ids of codes, stored with the first of
 * them, and all codes from there on are looked at. Below the place everything that wants an image has its entry, and so has
 * everything but new codes wherever it is.
 *
 * Every few thousand creates the place is moved on, past what was drawn; new codes that still wait get their entries when it
 * passes them. Where many wait it stays: they have to be looked at in any case.
 *
 * Rejected: one entry for all new codes of a commit. It can go when all of them are drawn, and somebody has to remember which
 * those are.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CodeDoc, Write } from "../../domain/documents.ts";
import { undrawnLooksStep, unlistedCodesMax } from "../../limits.ts";
import { saysItWantsImage } from "./documents.ts";
import type { Environment } from "./environment.ts";
import { rangeBehind } from "./lmdb-index.ts";
import type { Step } from "./loop-share.ts";

/** In the layout database. */
const placeKey = "undrawn_from";
/** Behind every id: then no code has to be looked at. */
const nowhere = "~";
/** What follows an id and nothing else does. */
const behind = "!";

export interface UndrawnOptions {
  environment: Environment;
  load(id: string): CodeDoc;
  /** Runs while no other documents are changed. */
  alone<T>(run: () => Promise<T>): Promise<T>;
  unlistedMax?: number;
}

export class Undrawn {
  readonly #environment: Environment;
  readonly #load: (id: string) => CodeDoc;
  readonly #alone: UndrawnOptions["alone"];
  readonly #unlistedMax: number;
  #from: string;
  /** New codes since the place was moved on. */
  #unlisted = 0;
  #isMoving = false;

  constructor({ environment, load, alone, unlistedMax = unlistedCodesMax }: UndrawnOptions) {
    this.#environment = environment;
    this.#load = load;
    this.#alone = alone;
    this.#unlistedMax = unlistedMax;
    this.#from = environment.layout.get(placeKey) ?? nowhere;
  }

  /** The place once these are stored: new codes from there on need no entry. */
  placeWith(writes: readonly Write[]): string {
    if (this.#from !== nowhere) return this.#from;
    let first = nowhere;
    for (const write of writes) if (isNewCode(write) && write.put.id < first) first = write.put.id;
    return first;
  }

  /** To be done in the transaction that stores them. */
  put(place: string): void {
    if (place !== this.#from) this.#environment.layout.put(placeKey, place);
  }

  committed(writes: readonly Write[], place: string): void {
    this.#from = place;
    for (const write of writes) if (isNewCode(write)) this.#unlisted++;
    if (this.#unlisted < this.#unlistedMax || this.#isMoving) return;
    this.#unlisted = 0;
    this.#isMoving = true;
    // What it does not get done now is done another time.
    this.#moveOn()
      .catch(() => {})
      .finally(() => {
        this.#isMoving = false;
      });
  }

  async #moveOn(): Promise<void> {
    while (await this.#alone(() => this.#pass())) await nextTurn();
  }

  /** Passes some codes; true when it is to go on. */
  async #pass(): Promise<boolean> {
    const { indexes, layout } = this.#environment;
    const { waiting, last, looked } = this.#look();
    if (waiting.length > undrawnLooksStep / 4) return false;
    const isEnd = looked < undrawnLooksStep;
    const place = isEnd ? nowhere : last + behind;
    await this.#environment.write(() => {
      for (const id of waiting) indexes.code_rendering.put(id, "");
      layout.put(placeKey, place);
    });
    this.#from = place;
    return !isEnd;
  }

  /** At the next codes. Nothing of them is kept but the ids of those that wait: a pass outlives what else was made with it. */
  #look(): { waiting: string[]; last: string; looked: number } {
    const waiting: string[] = [];
    let last = "";
    let looked = 0;
    const range = { start: this.#from, limit: undrawnLooksStep };
    for (const { key, value } of this.#environment.documents.codes.getRange(range)) {
      if (saysItWantsImage(value)) waiting.push(key);
      last = key;
      looked++;
    }
    return { waiting, last, looked };
  }

  /** Finds what waits for an image, in the order of ids, and at most so many. */
  finding(after: string | null, limit: number): { found: CodeDoc[]; step: Step } {
    const { documents, indexes } = this.#environment;
    const found: CodeDoc[] = [];
    // It may move on meanwhile: whatever it passes was there to be looked at when this began.
    const from = this.#from;
    let last = after;
    let isListed = true;
    const step = (end: number): boolean => {
      if (isListed) {
        for (const id of indexes.code_rendering.getKeys({ ...rangeBehind(last), end: from })) {
          found.push(this.#load(id));
          last = id;
          if (found.length === limit) return true;
          if (performance.now() >= end) return false;
        }
        isListed = false;
      }
      if (from === nowhere) return true;
      const range = last === null || last < from ? { start: from } : rangeBehind(last);
      for (const { key, value } of documents.codes.getRange(range)) {
        if (saysItWantsImage(value)) found.push(this.#load(key));
        last = key;
        if (found.length === limit) return true;
        if (performance.now() >= end) return false;
      }
      return true;
    };
    return { found, step };
  }
}

function isNewCode(write: Write): write is Write & { collection: "codes"; put: CodeDoc } {
  return write.collection === "codes" && "put" in write && write.isNew === true;
}
