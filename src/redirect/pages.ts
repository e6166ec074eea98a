/** What a person sees at a link that does not lead on, or leads to a text. */
import { type ErrorCode, errors } from "../domain/errors.ts";
import { escaped, smallPage } from "../http/small-page.ts";

/** The title says what is the matter, the text why and what to do next. */
const refusals: Partial<Record<ErrorCode, { title: string; text: string }>> = {
  not_found: {
    title: "There is nothing here",
    text: "The address may have been cut short or mistyped. Links of QR codes end in <b>qr-</b> and ten more characters: scan the code again, or compare the address with the printed one.",
  },
  qr_not_found: {
    title: "This code leads nowhere",
    text: "Its link was taken down, or never existed. If you typed the address, compare it with the printed one; if you scanned it, tell whoever gave you the code.",
  },
  qr_expired: {
    title: "This code has expired",
    text: "It was made to work until a certain time, and that has passed. Ask whoever gave it to you for a new one.",
  },
  qr_scan_limit_reached: {
    title: "This code is used up",
    text: "It could be opened a certain number of times, and others were first. Ask whoever gave it to you whether there is another.",
  },
  qr_blocked: {
    title: "This link is blocked",
    text: "Where it leads was found to be unsafe, so it is not opened. You need do nothing. If the code is yours, ask the operator of this site to look at it again.",
  },
  unavailable: {
    title: "One moment, please",
    text: 'The link could not be opened just now; nothing is wrong with your code. <a href="">Try again</a> in a few seconds.',
  },
};

/** Three corners of a code and a gap where the fourth part should be. */
const picture =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M3 3h7v7H3zM14 3h7v7h-7zM3 14h7v7H3zM15 15l6 6M21 15l-6 6" stroke-linecap="round"/></svg>';

const pages = new Map<ErrorCode, string>();

export function scanPage(code: ErrorCode): string {
  let made = pages.get(code);
  if (made === undefined) {
    const { title, text } = refusals[code] ?? { title: "This does not work", text: errors[code].message };
    made = smallPage(title, `${picture}<h1>${title}</h1><p>${text}</p>`);
    pages.set(code, made);
  }
  return made;
}

/** For robots, at links that can be opened a certain number of times. */
export const previewPage: string = smallPage(
  "Link of a QR code",
  `<h1>Link of a QR code</h1><p>It can be opened a certain number of times, and previews are not meant to use them up. Open it in a browser to see where it leads.</p>`,
);

export function textPage(text: string): string {
  return smallPage(
    "Text of a QR code",
    `<h1 class="small">This QR code says</h1><p class="text" dir="auto">${escaped(text)}</p>`,
    true,
  );
}
