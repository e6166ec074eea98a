/**
 * The JSON of what is written most: a code, as it is stored and as a create answers it.
 *
 * `JSON.stringify` has to find out what it is given; what typia makes of the types knows. And most codes have the looks that
 * nobody asked for, a third of all their text: those are not stored, and written down once for all answers.
 */
import type { CodeDoc, RenderMetadata } from "../domain/documents.ts";
import { defaultMetadata } from "../domain/looks/render-metadata.ts";
import type { DocumentText } from "../store/document-version.ts";
import * as texts from "./generated/texts.ts";
import type { NewCode } from "./responses.ts";

const defaultLooks = JSON.stringify(defaultMetadata);

function looks(metadata: RenderMetadata): string {
  return metadata === defaultMetadata ? defaultLooks : JSON.stringify(metadata);
}

export const documentText: DocumentText = (collection, doc) => {
  if (collection !== "codes") return JSON.stringify(doc);
  const code = doc as CodeDoc;
  return code.metadata === defaultMetadata ? texts.codeWithoutLooks(code) : JSON.stringify(code);
};

/** The fields and the brace behind them. */
export function newCodeFields(code: NewCode): string {
  return `"qr_render_metadata":${looks(code.qr_render_metadata)},${texts.newCodeWithoutLooks(code).slice(1)}`;
}
