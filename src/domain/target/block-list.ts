/**
 * The operator's list of unsafe targets.
 *
 * One entry a line: a host, which covers its subdomains on every port, or the start of a URL. `#` at the start
 * of a line or after a space begins a comment. The start of a URL is read as host, port and then characters of
 * path, query and fragment; `http` and `https` count as the same, since whoever serves one serves the other.
 *
 * A look-up costs one set probe for each label of the host, however long the list is: a million hosts are a
 * usual size. For the same reason most lines are taken as they stand, without building a URL from each.
 */
import { blockListLinesStep } from "../../limits.ts";
import { coveringName, withoutFinalDot } from "./host-names.ts";
import { type ParsedUrl, parseUrl } from "./parsed-url.ts";
import { addressBehind } from "./public-addresses.ts";

export interface BlockList {
  readonly size: number;
  /** The entry that covers the URL, or null. */
  lists(url: ParsedUrl): string | null;
}

export class BlockListError extends Error {
  override name = "BlockListError";
}

export const emptyBlockList: BlockList = { size: 0, lists: () => null };

const plainHost =
  /^(?!.*xn--)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function parseBlockList(text: string): BlockList {
  const steps = parseBlockListInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, pausing every few lines, so that a long list can be read between requests. */
export function* parseBlockListInSteps(text: string): Generator<void, BlockList> {
  const hosts = new Set<string>();
  const prefixes = new Map<string, string[]>();
  let size = 0;
  let lineNumber = 0;
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    lineNumber += 1;
    const line = withoutComment(text.slice(start, end));
    start = end + 1;
    if (line !== "") {
      size += 1;
      if (plainHost.test(line)) hosts.add(line);
      else addUnusual(line, lineNumber, hosts, prefixes);
    }
    if (lineNumber % blockListLinesStep === 0) yield;
  }
  return blockList(size, hosts, prefixes);
}

function blockList(
  size: number,
  hosts: ReadonlySet<string>,
  prefixes: ReadonlyMap<string, readonly string[]>,
): BlockList {
  return {
    size,
    lists(url) {
      const host = coveringName(hosts, hostOf(url));
      if (host !== null || prefixes.size === 0) return host;
      const site = siteOf(url);
      const rest = comparable(url);
      for (const prefix of prefixes.get(site) ?? []) if (rest.startsWith(prefix)) return site + prefix;
      return null;
    },
  };
}

function addUnusual(
  line: string,
  lineNumber: number,
  hosts: Set<string>,
  prefixes: Map<string, string[]>,
): void {
  const url = parseEntry(line);
  if (url === null) {
    throw new BlockListError(
      `line ${lineNumber}: "${line.slice(0, 100)}" is neither a host nor an http(s) URL`,
    );
  }
  if (url.port === "" && !/[/?#]/.test(line)) {
    hosts.add(hostOf(url));
    return;
  }
  const site = siteOf(url);
  const known = prefixes.get(site);
  if (known === undefined) prefixes.set(site, [comparable(url)]);
  else known.push(comparable(url));
}

function parseEntry(line: string): ParsedUrl | null {
  if (/[\s\\*]|^\.|^[\d.]+\/\d+$/.test(line)) return null;
  const withScheme = /^https?:\/\//i.test(line);
  if (!withScheme && line.includes("://")) return null;
  const bareIpv6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(line);
  const text = withScheme ? line : bareIpv6 ? `http://[${line}]` : `http://${line}`;
  const url = parseUrl(text);
  if (url === null || url.username !== "" || url.password !== "") return null;
  return hostOf(url).split(".").includes("") ? null : url;
}

/** A byte order mark goes too: it counts as white space. */
function withoutComment(line: string): string {
  const mark = line.search(/(?:^|\s)#/);
  return (mark === -1 ? line : line.slice(0, mark)).trim();
}

function siteOf(url: ParsedUrl): string {
  const name = hostOf(url);
  return url.port === "" ? name : `${name}:${url.port}`;
}

/** One spelling for each host: a listed address is meant also where IPv6 carries it. */
function hostOf(url: ParsedUrl): string {
  return addressBehind(withoutFinalDot(url.hostname));
}

/** `/%61` and `/a` are the same path to a server, so letters and digits are compared unescaped. */
function comparable(url: ParsedUrl): string {
  const rest = url.pathname + url.search + url.hash;
  if (!rest.includes("%")) return rest;
  return rest.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
