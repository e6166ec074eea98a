/**
 * Hours and days of scans in LMDB: one entry each, under whose they are and when they began. Entries are texts, which
 * the library gives in half the time of bytes.
 */
import { idOfTime } from "../../../domain/analytics/link-scans.ts";
import type { ScanDayDoc, ScanHourDoc } from "../../../domain/documents.ts";
import { assertVersion, documentVersion, upgraded } from "../../document-version.ts";
import type { TimeStretch } from "../../store.ts";
import { encodedText } from "../documents.ts";
import type { Texts } from "../environment.ts";
import { usableId } from "../lmdb-index.ts";
import type { Step } from "../loop-share.ts";

type TimeDoc = ScanHourDoc | ScanDayDoc;

/** The clock is looked at once in so many entries: looking takes as long as one of them. */
const entriesPerLook = 16;

export class ScanTimes<Doc extends TimeDoc> {
  readonly #entries: Texts;
  readonly #name: "scan_hours" | "scan_days";

  constructor(entries: Texts, name: "scan_hours" | "scan_days") {
    this.#entries = entries;
    this.#name = name;
  }

  get(id: string): Doc | null {
    const text = usableId(id) ? this.#entries.get(id) : undefined;
    return text === undefined ? null : this.#decoded(id, text);
  }

  put(doc: Doc): void {
    this.#entries.put(doc.id, encodedText(doc));
  }

  remove(id: string): void {
    this.#entries.remove(id);
  }

  /** In the order of ids. */
  walk(after: string | null, limit: number): Doc[] {
    const begin = after === null ? {} : { start: after, exclusiveStart: true };
    const entries = Array.from(this.#entries.getRange({ ...begin, limit }));
    return entries.map(({ key, value }) => this.#decoded(key, value));
  }

  /** The next one in order that has any entries. */
  nextOwner(after: string | null): string | null {
    // A slash parts owner and time; what sorts right behind it is the end of the owner's entries.
    const begin = after === null || after === "" ? {} : { start: `${after}0` };
    for (const key of this.#entries.getKeys({ ...begin, limit: 1 }))
      return key.slice(0, key.lastIndexOf("/"));
    return null;
  }

  /** Whether there is any of an owner. */
  has(of: string): boolean {
    return this.ids(of, `${of}0`, 1).length > 0;
  }

  /** The oldest ids of an owner, up to the given one. */
  ids(of: string, end: string, limit: number): string[] {
    return Array.from(this.#entries.getKeys({ start: `${of}/`, end, limit }));
  }

  /** Reads the first ones of a stretch into `found`, step by step. */
  reading(of: string, { from, to }: TimeStretch, limit: number, found: Doc[]): Step {
    let start = idOfTime(of, from);
    const end = idOfTime(of, to);
    let isFirst = true;
    return (until) => {
      if (!usableId(start) || limit === 0) return true;
      const range = { start, end, exclusiveStart: !isFirst, limit: limit - found.length };
      for (const { key, value } of this.#entries.getRange(range)) {
        found.push(this.#decoded(key, value));
        start = key;
        isFirst = false;
        if (found.length % entriesPerLook === 0 && performance.now() >= until) return found.length === limit;
      }
      return true;
    };
  }

  #decoded(id: string, text: string): Doc {
    const version = text.charCodeAt(0);
    assertVersion(this.#name, id, version);
    const doc = JSON.parse(text.slice(1));
    return version === documentVersion ? doc : (upgraded(this.#name, version, doc) as unknown as Doc);
  }
}
