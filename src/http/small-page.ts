/** The frame of the small pages that people see: no script, nothing from elsewhere, light and dark. */
import { createHash } from "node:crypto";

const style = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#555e69;--paper:#f6f7f9;--card:#fff;--line:#dfe3e8;--link:#0b57d0}
@media(prefers-color-scheme:dark){:root{--ink:#eceef1;--soft:#a9b2bd;--paper:#14171a;--card:#1d2125;--line:#31373e;--link:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.25rem;
background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:27rem;width:100%;padding:2.25rem 2rem;background:var(--card);border:1px solid var(--line);
border-radius:1rem;text-align:center}
main.wide{max-width:38rem;text-align:start}
svg{width:3rem;height:3rem;color:var(--soft)}
h1{margin:1rem 0 .5rem;font-size:1.375rem;line-height:1.25;text-wrap:balance}
h1.small{margin:0 0 .75rem;font-size:.9375rem;font-weight:600;color:var(--soft)}
p{margin:.75rem 0 0;color:var(--soft);text-wrap:pretty}
.text{margin:0;color:var(--ink);font-size:1.1875rem;white-space:pre-wrap;overflow-wrap:anywhere}
a{color:var(--link)}
@media(max-width:26rem){main{padding:1.75rem 1.25rem}}`.replaceAll("\n", "");

const styleHash = createHash("sha256").update(style).digest("base64");

/** Sent with every such page. */
export const smallPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const htmlType = "text/html; charset=utf-8";

/** Text as it may stand in markup. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The title is text, the content markup; a `wide` one is for reading. */
export function smallPage(title: string, content: string, wide = false): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${escaped(title)}</title><style>${style}</style></head><body>` +
    `<main${wide ? ' class="wide"' : ""}>${content}</main></body></html>`
  );
}
