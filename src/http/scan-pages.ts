/** What a scanner sees when a link does not lead on: a small page for people, the envelope for programs. */
import { type ErrorCode, errors } from "../domain/errors.ts";
import { apiVersion } from "../schema/api-version.ts";

const titles: Partial<Record<ErrorCode, string>> = {
  qr_blocked: "This link is blocked",
  not_found: "Nothing here",
  qr_not_found: "This code leads nowhere",
  qr_expired: "This link has expired",
  qr_scan_limit_reached: "This link is used up",
  unavailable: "One moment, please",
};

const style = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5b6470;--paper:#f6f7f9;--card:#fff;--line:#dfe3e8}
@media(prefers-color-scheme:dark){:root{--ink:#eceef1;--soft:#a3acb8;--paper:#14171a;--card:#1d2125;--line:#31373e}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.5rem;
background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:26rem;width:100%;padding:2.25rem 2rem;background:var(--card);border:1px solid var(--line);
border-radius:1rem;text-align:center}
svg{width:3rem;height:3rem;color:var(--soft)}
h1{margin:1rem 0 .5rem;font-size:1.375rem;line-height:1.25}
p{margin:0;color:var(--soft)}`.replaceAll("\n", "");

/** Three corners of a code and a gap where the fourth part should be. */
const picture =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M3 3h7v7H3zM14 3h7v7h-7zM3 14h7v7H3zM15 15l6 6M21 15l-6 6" stroke-linecap="round"/></svg>';

function page(code: ErrorCode): string {
  const title = titles[code] ?? "This does not work";
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${title}</title><style>${style}</style></head><body><main>${picture}<h1>${title}</h1>` +
    `<p>${errors[code].message}</p></main></body></html>`
  );
}

const pages = new Map<ErrorCode, string>();

export function scanPage(code: ErrorCode): string {
  let made = pages.get(code);
  if (made === undefined) {
    made = page(code);
    pages.set(code, made);
  }
  return made;
}

export function scanEnvelope(
  code: ErrorCode,
  requestId: string,
  message: string = errors[code].message,
): string {
  return JSON.stringify({ ok: false, version: apiVersion, request_id: requestId, code, message });
}
