/**
 * An answer that is large and always the same: a document, a script.
 *
 * It is made on the first request and kept, as it is and in every encoding that somebody asked for. All that takes
 * long (reading, hashing, compressing) is done by threads, not on the loop, and once for all who wait. Clients that
 * have it already are told so by its ETag. The bytes are shared by all answers under way.
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Exchange } from "./exchange.ts";
import { type Encoding, preferredEncoding } from "./negotiation.ts";
import type { Reply } from "./reply.ts";

export interface StaticContent {
  contentType: string;
  bytes: Uint8Array;
  /** Beyond those of the type and of the encoding. */
  headers: readonly (readonly [name: string, value: string])[];
}

const compress: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  gzip: promisify(gzip),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // The best takes thirty times as long for an eighth less.
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

interface Made extends StaticContent {
  hash: string;
}

export class StaticAnswer {
  readonly #make: () => Promise<StaticContent>;
  #made: Promise<Made> | null = null;
  readonly #encoded = new Map<Encoding, Promise<Uint8Array>>();

  constructor(make: () => Promise<StaticContent> | StaticContent) {
    this.#make = async () => make();
  }

  /** Names the content. */
  async hash(): Promise<string> {
    return (await this.#content()).hash;
  }

  async reply(exchange: Exchange): Promise<Reply> {
    const { contentType, bytes, hash, headers } = await this.#content();
    const encoding = preferredEncoding(exchange.header("accept-encoding"));
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
    const told = [...headers, ["etag", etag], ["vary", "Accept-Encoding"]] as const;
    if (ifNoneMatchHas(exchange.header("if-none-match"), etag))
      return { status: 304, headers: told, body: "" };
    const typed = [...told, ["content-type", contentType]] as const;
    if (encoding === null) return { status: 200, headers: typed, body: bytes };
    const body = await this.#as(encoding, bytes);
    return { status: 200, headers: [...typed, ["content-encoding", encoding]], body };
  }

  /** What failed is tried again by the next request. */
  #content(): Promise<Made> {
    this.#made ??= this.#hashed().catch((cause) => {
      this.#made = null;
      throw cause;
    });
    return this.#made;
  }

  async #hashed(): Promise<Made> {
    const content = await this.#make();
    const digest = await crypto.subtle.digest("SHA-256", content.bytes);
    return { ...content, hash: Buffer.from(digest).toString("hex").slice(0, 32) };
  }

  #as(encoding: Encoding, bytes: Uint8Array): Promise<Uint8Array> {
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = compress[encoding](bytes);
      this.#encoded.set(encoding, encoded);
      encoded.catch(() => this.#encoded.delete(encoding));
    }
    return encoded;
  }
}

/** Whether an `If-None-Match` names this content; a weak name does as well. */
export function ifNoneMatchHas(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === "") return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}
