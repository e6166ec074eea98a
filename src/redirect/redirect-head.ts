/**
 * The status with all of a redirect's headers, as bytes from end to end: making a text of an inline target first would be
 * an allocation more a scan.
 */
import { inlineUrlBytes, type LinkTable } from "../link/link-table.ts";

/** Constant headers ride in the status: the library passes it through, and every header of its own costs. */
export const linkHeaders =
  "Cache-Control: no-store\r\nX-Robots-Tag: noindex\r\nX-Content-Type-Options: nosniff";
/** Of a redirect whose length is told by who sends it. */
export const redirectHead = `302 Found\r\n${linkHeaders}\r\nLocation: `;
const bodilessRedirectHead = `302 Found\r\nContent-Length: 0\r\n${linkHeaders}\r\nLocation: `;

/** Of targets that are not inline, those whose answers are made as quickly; a multiple of four. */
export const shortTargetChars = Math.max(256, inlineUrlBytes);

export class RedirectHead {
  readonly #table: LinkTable;
  readonly #words: Uint32Array;
  readonly #bytes: Buffer;
  readonly #urlWord: number;
  /** One view for every length of target. */
  readonly #views: Uint8Array[] = [];

  constructor(table: LinkTable) {
    this.#table = table;
    const head = Buffer.from(bodilessRedirectHead, "latin1");
    // The target is copied by words, so it must begin at one.
    const start = (4 - (head.length % 4)) % 4;
    this.#urlWord = (start + head.length) / 4;
    const memory = new ArrayBuffer(start + head.length + shortTargetChars);
    this.#words = new Uint32Array(memory);
    this.#bytes = Buffer.from(memory);
    this.#bytes.set(head, start);
    for (let length = 0; length <= shortTargetChars; length++) {
      this.#views.push(new Uint8Array(memory, start, head.length + length));
    }
  }

  /** Valid until the next call. */
  of(slot: number): Uint8Array {
    return this.#views[this.#table.copyUrl(slot, this.#words, this.#urlWord)]!;
  }

  /** The same for a short target that is not inline. Addresses are printable ASCII. */
  to(target: string): Uint8Array {
    return this.#views[this.#bytes.write(target, 4 * this.#urlWord, "latin1")]!;
  }
}
