/**
 * Codes as the JSON that answers are made of.
 *
 * A document never changes, so neither does what it is shown as, but for the count of its scans and whether it is
 * being drawn right now. The JSON is made once and kept beside the document for as long as somebody has that: reading
 * a list again costs putting its items together, and not even that where its page is the same. Rejected: a cache by id,
 * which has to be told of every change.
 */
import { wantsImage } from "../domain/code/render-state.ts";
import type { CodeDoc } from "../domain/documents.ts";
import { plainNewCode } from "../schema/texts.ts";
import type { Page } from "../store/store.ts";
import { presentCodeUncounted, presentListItem, presentNewCode } from "./present.ts";

interface Texts {
  listItem: string | null;
  /** Of the code on its own, and the public address that its links are made with. */
  whole: { publicUrl: string; bytes: Uint8Array } | null;
}

const textsOf = new WeakMap<CodeDoc, Texts>();

function listItemText(code: CodeDoc, isRendering: boolean): string {
  if (isRendering && wantsImage(code.render)) return JSON.stringify(presentListItem(code, isRendering));
  const texts = kept(code);
  texts.listItem ??= JSON.stringify(presentListItem(code, false));
  return texts.listItem;
}

const pagesOf = new WeakMap<Page<CodeDoc>, Uint8Array>();

/**
 * The fields of an answer with these codes, and the brace behind them. As long as a page is the same so are they, but for
 * codes that are being drawn.
 */
export function pageBytes(
  page: Page<CodeDoc>,
  isRendering: (codeId: string) => boolean,
  nextToken: () => string | null,
): Uint8Array {
  const known = pagesOf.get(page);
  if (known !== undefined) return known;
  const items = page.items.map((code) => listItemText(code, isRendering(code.id)));
  const fields = `"items":[${items.join(",")}],"next_page_token":${JSON.stringify(nextToken())}`;
  const bytes = ownBytes(`${fields}}`);
  if (!page.items.some(({ render }) => wantsImage(render))) pagesOf.set(page, bytes);
  return bytes;
}

/** The fields of a code on its own but for the count of its scans, and the brace behind them. */
export function uncountedBytes(code: CodeDoc, isRendering: boolean, publicUrl: string): Uint8Array {
  if (isRendering && wantsImage(code.render)) {
    return fieldsBytes(presentCodeUncounted(code, true, publicUrl));
  }
  const texts = kept(code);
  if (texts.whole?.publicUrl !== publicUrl) {
    texts.whole = { publicUrl, bytes: fieldsBytes(presentCodeUncounted(code, false, publicUrl)) };
  }
  return texts.whole.bytes;
}

/** The fields of the answer to a create, and the brace behind them. */
export function newCodeText(code: CodeDoc, publicUrl: string): string {
  return plainNewCode(code) ?? JSON.stringify(presentNewCode(code, publicUrl)).slice(1);
}

function fieldsBytes(fields: object): Uint8Array {
  return ownBytes(JSON.stringify(fields).slice(1));
}

const encoder = new TextEncoder();

/** In memory of their own: a piece of a buffer that others share would keep all of it for as long as it is kept. */
function ownBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

function kept(code: CodeDoc): Texts {
  let texts = textsOf.get(code);
  if (texts === undefined) {
    texts = { listItem: null, whole: null };
    textsOf.set(code, texts);
  }
  return texts;
}
