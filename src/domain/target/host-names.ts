/**
 * Which host names are public and honest.
 *
 * Public: under a top-level domain that the public suffix list knows. That one rule refuses what routers,
 * offices and clusters use inside (`printer.lan`, `wiki.corp`, `api.default.svc`) without naming each. The
 * list comes with the `tldts` package: a top-level domain younger than the installed version is refused
 * until the package is updated.
 *
 * Honest: no label that mixes alphabets whose letters look alike, and no sign that can pass for a slash or
 * a dot. A name wholly in one script is fine.
 */
import { domainToUnicode } from "node:url";
import { parse } from "tldts";

const nameCharsMax = 253;
const labelCharsMax = 63;

/** Known to the public suffix list, yet not names of the public DNS that a browser could open. */
const notForVisitors: ReadonlySet<string> = new Set(["arpa", "onion"]);

const plainLabel = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;

/** Letters, marks, numbers, emoji, and the few joining signs that IDNA allows between letters. */
const honestLabel =
  /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}_\-\u00B7\u0375\u05F3\u05F4\u30FB\u200C\u200D]+$/u;

const lookAlikeAlphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Lisu}/u,
  /\p{Script=Canadian_Aboriginal}/u,
  /\p{Script=Tifinagh}/u,
];

/** What is wrong with a host name as the URL parser leaves it (lower case, punycode), or null. */
export function hostNameProblem(host: string): string | null {
  const name = withoutFinalDot(host);
  const labels = name.split(".");
  if (labels.length < 2) return "must have a public host name with a dot in it";
  if (name.length > nameCharsMax) return `has a host name longer than ${nameCharsMax} characters`;
  for (const label of labels) {
    const problem = labelProblem(label);
    if (problem !== null) return problem;
  }
  return isPublicName(name) ? null : "must have a host name of the public Internet";
}

/** `example.com.` and `example.com` are the same host. */
export function withoutFinalDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** Which of the names is this one or stands above it, or null. */
export function coveringName(names: ReadonlySet<string>, name: string): string | null {
  for (let from = 0; ; ) {
    const covering = name.slice(from);
    if (names.has(covering)) return covering;
    from = name.indexOf(".", from) + 1;
    if (from === 0) return null;
  }
}

function isPublicName(name: string): boolean {
  if (!parse(name, { extractHostname: false }).isIcann) return false;
  return !notForVisitors.has(name.slice(name.lastIndexOf(".") + 1));
}

function labelProblem(label: string): string | null {
  if (label.length > labelCharsMax || !plainLabel.test(label)) return "has a malformed host name";
  if (!label.startsWith("xn--")) return null;
  const decoded = domainToUnicode(label);
  if (decoded === "" || decoded.startsWith("xn--")) return "has a malformed host name";
  if (!honestLabel.test(decoded)) return "has a host name with misleading signs";
  const alphabets = lookAlikeAlphabets.filter((alphabet) => alphabet.test(decoded)).length;
  return alphabets > 1 ? "has a host name that mixes look-alike alphabets" : null;
}
