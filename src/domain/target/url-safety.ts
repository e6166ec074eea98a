/**
 * Where a code may send its scanners.
 *
 * What is checked is what is stored: the text is parsed once by the WHATWG parser, and the parsed form is
 * judged, kept and later sent. That parser repairs a lot in silence: it drops tabs and newlines, turns
 * backslashes into slashes, unifies the spellings of an address. Repairs that can hide where a URL leads are
 * refused before parsing; all others are harmless, because only their outcome counts.
 */
import { judgedHostsMax, urlCharsMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import { ApiError, invalidField } from "../errors.ts";
import type { BlockList } from "./block-list.ts";
import { hostNameProblem, withoutFinalDot } from "./host-names.ts";
import { type ParsedUrl, parseUrl } from "./parsed-url.ts";
import { addressProblem } from "./public-addresses.ts";
import { isTreacherous } from "./treacherous-names.ts";

export interface UrlPolicy {
  /** Hosts that lead back to this service: a redirect there would be a loop. Built by `ownHosts`. */
  readonly ownHosts: ReadonlySet<string>;
  readonly blockList: BlockList;
}

/** Control and invisible formatting characters. The two joiners are spared: emoji and Persian need them. */
const hidden = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const printableAscii = /^[\x21-\x7e]+$/;

export function ownHosts(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map((origin) => hostAndPort(new URL(origin))));
}

/** The normalised URL, fit for a `Location` header; throws 400 or 422 with a message that starts with `path`. */
export function checkUrl(path: string, value: string, policy: UrlPolicy): string {
  if (value === "") throw invalidField(path, "must not be empty");
  if (value.length > urlCharsMax) throw tooLong(path);
  const isPlain = printableAscii.test(value);
  if (!isPlain && hidden.test(value)) throw unsafe(path, "must not contain control or invisible characters");
  const url = parseUrl(value);
  if (url === null) throw invalidField(path, "must be an absolute http or https URL");
  if (value.includes("\\")) throw unsafe(path, "must not contain backslashes");
  if (!isPlain && /\s/.test(value)) throw unsafe(path, "must not contain spaces; write them as %20");

  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw unsafe(path, "must be an http or https URL");
  }
  if (url.username !== "" || url.password !== "") {
    throw unsafe(path, "must not contain a user name or password");
  }
  const problem = destinationProblem(url, policy);
  if (problem !== null) throw unsafe(path, problem);
  if (url.href.length > urlCharsMax) throw tooLong(path);
  if (!(isPlain && url.href === value) && !printableAscii.test(url.href))
    throw new Error("a parsed URL is not printable ASCII");
  return url.href;
}

/** Why a URL that was safe when it was stored is not any more, or null. */
export function isUnsafe(href: string, policy: UrlPolicy): string | null {
  const url = parseUrl(href);
  return url === null ? "is not a URL" : destinationProblem(url, policy);
}

function destinationProblem(url: ParsedUrl, policy: UrlPolicy): string | null {
  if (policy.ownHosts.has(hostAndPort(url))) return "must not lead back to this service";
  const problem = hostProblem(url.hostname);
  if (problem !== null) return problem;
  return policy.blockList.lists(url) === null ? null : "leads to a blocked destination";
}

/** Whoever makes many codes has them lead to few hosts, and of a host the same is true for ever. */
const judged = new BoundedMap<string, string | null>(judgedHostsMax);

function hostProblem(host: string): string | null {
  let problem = judged.get(host);
  if (problem === undefined) {
    problem = judge(host);
    judged.set(host, problem);
  }
  return problem;
}

function judge(host: string): string | null {
  const address = addressProblem(host);
  if (address === null) return null;
  if (address === "not public") return "must not lead to a private or reserved address";
  const problem = hostNameProblem(host);
  if (problem !== null) return problem;
  return isTreacherous(withoutFinalDot(host))
    ? "must not lead to a name that can stand for a private address"
    : null;
}

/** Ports 80 and 443 count as one: they are the two doors of one site, and the first mostly opens the second. */
function hostAndPort(url: ParsedUrl): string {
  const usual = url.port === "" || url.port === "80" || url.port === "443";
  const name = withoutFinalDot(url.hostname);
  return usual ? name : `${name}:${url.port}`;
}

function tooLong(path: string): ApiError {
  return invalidField(path, `must be at most ${urlCharsMax} characters`);
}

function unsafe(path: string, problem: string): ApiError {
  return new ApiError("unsafe_url", `${path} ${problem}`);
}
