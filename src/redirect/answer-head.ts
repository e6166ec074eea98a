/**
 * The heads of answers that lead on. That of a plain redirect is bytes from end to end: making a text of its target
 * first would be an allocation more a scan.
 */
import { htmlType, smallPagePolicy } from "../http/small-page.ts";
import { inlineUrlBytes, type LinkTable } from "../link/link-table.ts";

/** Constant headers ride in the status: the library passes it through, and every header of its own costs. */
export const linkHeaders =
  "Cache-Control: no-store\r\nX-Robots-Tag: noindex\r\nX-Content-Type-Options: nosniff";
export const redirectHead = `302 Found\r\n${linkHeaders}\r\nLocation: `;
const anyTextHead = `200 OK\r\n${linkHeaders}\r\nVary: Accept\r\n`;
export const textHead = `${anyTextHead}Content-Type: text/plain; charset=utf-8`;
export const textPageHead = `${anyTextHead}Content-Type: ${htmlType}\r\nContent-Security-Policy: ${smallPagePolicy}`;

/** The status with the redirect's headers, as bytes: no text is made for an inline target. */
export class RedirectHead {
  readonly #table: LinkTable;
  readonly #words: Uint32Array;
  readonly #urlWord: number;
  /** One view for every length of target. */
  readonly #views: Uint8Array[] = [];

  constructor(table: LinkTable) {
    this.#table = table;
    const head = Buffer.from(redirectHead, "latin1");
    // The target is copied by words, so it must begin at one.
    const start = (4 - (head.length % 4)) % 4;
    this.#urlWord = (start + head.length) / 4;
    const memory = new ArrayBuffer(start + head.length + inlineUrlBytes);
    this.#words = new Uint32Array(memory);
    new Uint8Array(memory).set(head, start);
    for (let length = 0; length <= inlineUrlBytes; length++) {
      this.#views.push(new Uint8Array(memory, start, head.length + length));
    }
  }

  /** Valid until the next call. */
  of(slot: number): Uint8Array {
    return this.#views[this.#table.copyUrl(slot, this.#words, this.#urlWord)]!;
  }
}
