/**
 * `/docs`: the API reference, shown by Scalar's viewer from our own origin.
 *
 * The viewer is one script of 3.6 MB, 0.9 as it is sent. Its own package would bring three hundred others to run
 * in a server what we only hand to browsers; the package for Fastify ships the very file with a tenth of that, and
 * nothing of it is ever loaded here. Its later releases no longer have the file, hence the fixed version.
 *
 * Whatever the viewer might want from elsewhere (fonts, a proxy, an assistant, figures about its use) is turned
 * off, and the policy keeps the browser from asking anyone but us. Styles must be allowed inline: the viewer makes
 * them as it goes. Scripts need not be.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ApiError } from "../domain/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import { htmlType } from "../http/small-page.ts";
import { StaticAnswer } from "../http/static-answer.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const script = "text/javascript; charset=utf-8";
const immutable = ["cache-control", "public, max-age=31536000, immutable"] as const;
const checked = ["cache-control", "no-cache"] as const;

const viewer = new StaticAnswer(async () => {
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  const bytes = await readFile(join(dirname(entry), "js/standalone.js"));
  return { contentType: script, bytes, headers: [immutable] };
});

/** Requests are tried on the site that shows the page, whatever name it has outside: nothing else may be asked. */
const start = new StaticAnswer(() => {
  const settings = {
    sources: [
      source("api", "API", "/openapi.json", "ApiKey"),
      source("admin", "Admin API", "/admin/openapi.json", "AdminToken"),
    ],
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    documentDownloadType: "direct",
    defaultOpenFirstTag: true,
    persistAuth: false,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    favicon: "data:,",
  };
  const text = `Scalar.createApiReference("#reference", Object.assign(${JSON.stringify(settings)}, { servers: [{ url: location.origin }] }));\n`;
  return { contentType: script, bytes: Buffer.from(text), headers: [immutable] };
});

function source(slug: string, title: string, url: string, scheme: string): object {
  return { slug, title, url, default: slug === "api", authentication: { preferredSecurityScheme: scheme } };
}

const page = new StaticAnswer(async () => {
  const [viewerName, startName] = await Promise.all([nameOf("reference", viewer), nameOf("start", start)]);
  const text =
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">' +
    '<link rel="icon" href="data:,"><title>API reference</title></head><body><div id="reference"></div>' +
    '<noscript>This page needs JavaScript. The same in plain: <a href="/openapi.json">openapi.json</a>.</noscript>' +
    `<script src="/docs/${viewerName}"></script><script src="/docs/${startName}"></script></body></html>`;
  const headers = [checked, ["content-security-policy", policy]] as const;
  return { contentType: htmlType, bytes: Buffer.from(text), headers };
});

async function nameOf(word: string, answer: StaticAnswer): Promise<string> {
  return `${word}-${await answer.hash()}.js`;
}

export function getDocs({ exchange }: { exchange: Exchange }): Promise<Reply> {
  return page.reply(exchange);
}

/** The scripts, by names that change with their content. */
export async function getDocsScript({ exchange }: { exchange: Exchange }): Promise<Reply> {
  const [asked] = exchange.params;
  if (asked === (await nameOf("reference", viewer))) return viewer.reply(exchange);
  if (asked === (await nameOf("start", start))) return start.reply(exchange);
  throw new ApiError("not_found");
}
