/** `/`: where people come who cut a link short, or wonder what answers here. There is nothing for programs. */
import { ApiError } from "../domain/errors.ts";
import type { Reply } from "../http/exchange.ts";
import { prefersPage } from "../http/negotiation.ts";
import { refusal } from "../http/reply.ts";
import { htmlType, smallPage, smallPagePolicy } from "../http/small-page.ts";
import type { Call } from "./call.ts";

/** A code, whole. */
const picture =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M3 3h7v7H3zM14 3h7v7h-7zM3 14h7v7H3zM14 14h3v3h-3zM21 14v3M17 21h4" stroke-linecap="round"/></svg>';

const page = smallPage(
  "qrelay",
  `${picture}<h1>qrelay</h1><p>This site opens the links behind QR codes.</p>` +
    "<p>Did a code bring you here? Then part of its address is missing: scan it again.</p>" +
    '<p>To make codes of your own, see the <a href="/docs">API reference</a>.</p>',
);

const varies = ["vary", "Accept"] as const;

export function getHome({ exchange }: Call): Reply {
  if (!prefersPage(exchange.header("accept"), "application/json")) {
    const reply = refusal(exchange.requestId, new ApiError("not_found"));
    return { ...reply, headers: [...reply.headers, varies] };
  }
  const headers = [varies, ["content-type", htmlType], ["content-security-policy", smallPagePolicy]] as const;
  return { status: 200, headers, body: page };
}
