/**
 * The JSON of what is written most: a code, as it is stored and as a create answers it.
 *
 * Most codes are plain: a target, and nothing of what most people leave out. What all of those say is written down here, once
 * for each text, and a code brings its few own fields. `JSON.stringify` would find all of it out anew each time, and does for
 * all other codes. Looks that nobody asked for, a third of all text, are not stored at all.
 */
import type { CodeDoc, RenderState } from "../domain/documents.ts";
import { defaultMetadata } from "../domain/looks/render-metadata.ts";
import { iso } from "../domain/timestamps.ts";
import type { DocumentText } from "../store/document-version.ts";

const defaultLooks = JSON.stringify(defaultMetadata);

export const documentText: DocumentText = (collection, doc) => {
  if (collection !== "codes") return JSON.stringify(doc);
  const code = doc as CodeDoc;
  if (code.metadata !== defaultMetadata) return JSON.stringify(code);
  if (isPlain(code)) return plainCode(code);
  const { metadata: _, ...rest } = code;
  return JSON.stringify(rest);
};

/** Plain so far, and with the looks that nobody asked for. */
function isPlain(code: CodeDoc): boolean {
  return (
    code.text === null &&
    code.redirect_rules.length === 0 &&
    code.expires_at === null &&
    code.scan_limit === null &&
    code.status === "active" &&
    !code.blocked &&
    code.analytics_enabled &&
    code.metadata === defaultMetadata
  );
}

/** Nothing has become of the first image yet. */
function isFirst(render: RenderState): boolean {
  return (
    render.version === 1 &&
    render.status === "pending" &&
    render.attempt === 0 &&
    render.error === null &&
    render.rendered_at === null &&
    render.rendered_version === 0 &&
    render.svg === null &&
    render.png === null
  );
}

function plainCode(code: CodeDoc): string {
  const { render } = code;
  const first = `{"status":"pending","version":1,"requested_at":${render.requested_at},"attempt":0,"error":null,"rendered_at":null,"rendered_version":0,"svg":null,"png":null}`;
  return `{"id":${quoted(code.id)},"account_id":${quoted(code.account_id)},"project_id":${quoted(code.project_id)},"slug":${quoted(code.slug)},"label":${quoted(code.label)},"type":"${code.type}","status":"active","blocked":false,"redirect_url":${quoted(code.redirect_url)},"text":null,"redirect_rules":[],"expires_at":null,"scan_limit":null,"analytics_enabled":true,"render":${isFirst(render) ? first : renderText(render)},"created_at":${code.created_at},"updated_at":${code.updated_at}}`;
}

function renderText(render: RenderState): string {
  const { status, version, requested_at, attempt, error, rendered_at, rendered_version, svg, png } = render;
  return `{"status":"${status}","version":${version},"requested_at":${requested_at},"attempt":${attempt},"error":${quotedOrNull(error)},"rendered_at":${rendered_at},"rendered_version":${rendered_version},"svg":${quotedOrNull(svg)},"png":${quotedOrNull(png)}}`;
}

/** The fields of the answer to a create, and the brace behind them; null where `JSON.stringify` has to make them. */
export function plainNewCode(code: CodeDoc): string | null {
  if (!isPlain(code) || !isFirst(code.render)) return null;
  const url = quoted(code.redirect_url);
  const requestedAt = code.render.requested_at === null ? null : `"${iso(code.render.requested_at)}"`;
  return `"qr_id":${quoted(code.id)},"label":${quoted(code.label)},"slug":null,"status":"active","type":"${code.type}","project_id":${quoted(code.project_id)},"redirect_url":${url},"redirect_rules":[],"expires_at":null,"destination_url":null,"qr_data":{"url":${url}},"qr_render_metadata":${defaultLooks},"analytics_enabled":true,"render_status":"pending","render_requested_at":${requestedAt},"render_attempt":0,"render_error":null,"file_url_svg":null,"file_url_png":null,"created_at":"${iso(code.created_at)}","updated_at":"${iso(code.updated_at)}","last_rendered_at":null}`;
}

function quotedOrNull(text: string | null): string {
  return text === null ? "null" : quoted(text);
}

const space = 0x20;
const tilde = 0x7e;
const quote = 0x22;
const backslash = 0x5c;

/** Texts are mostly short, and of characters that are themselves in JSON. */
function quoted(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char < space || char > tilde || char === quote || char === backslash) return JSON.stringify(text);
  }
  return `"${text}"`;
}
