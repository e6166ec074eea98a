/**
 * Whose scan it is.
 *
 * The header `X-Forwarded-For` is written by whoever likes to. It is believed only from the right, and only
 * as far as each speaker is a trusted proxy: the first address that is not one is the client's.
 * Addresses come out in one spelling: IPv4 as four numbers, also when the socket shows it mapped into IPv6.
 */
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { forwardedHopsMax, proxyVerdictsMax } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";

export interface TrustedProxies {
  /** Whether this peer's forwarding and country headers are believed. */
  isTrusted(peer: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** How uWebSockets.js writes an IPv4 peer of a socket that serves both families. */
const mappedInFull = "0000:0000:0000:0000:0000:ffff:";

export const noTrustedProxies: TrustedProxies = { isTrusted: () => false };

/** Comma-separated addresses and CIDR ranges; throws with the entry that is neither. */
export function parseTrustedProxies(text: string): TrustedProxies {
  const entries = text.split(",").map((entry) => entry.trim());
  const ranges = entries.filter((entry) => entry !== "").map(parseRange);
  if (ranges.length === 0) return noTrustedProxies;

  const verdicts = new BoundedMap<string, boolean>(proxyVerdictsMax);
  return {
    isTrusted(peer) {
      const known = verdicts.get(peer);
      if (known !== undefined) return known;
      const address = parseAddress(peer);
      const trusted = address !== null && ranges.some((range) => contains(range, address));
      verdicts.set(peer, trusted);
      return trusted;
    },
  };
}

export function clientAddress(peer: string, forwardedFor: string, trusted: TrustedProxies): string {
  let client = plainAddress(peer);
  let end = forwardedFor.length;
  for (let hops = 0; end > 0 && hops < forwardedHopsMax && trusted.isTrusted(client); hops += 1) {
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const named = parseForwarded(forwardedFor.slice(comma + 1, end).trim());
    if (named === null) break;
    client = named;
    end = comma;
  }
  return client;
}

/** The socket's spelling of an address, with IPv4 unwrapped from IPv6. Cheap: it runs for every scan. */
export function plainAddress(peer: string): string {
  if (peer.startsWith(mappedInFull)) {
    const high = Number.parseInt(peer.slice(30, 34), 16);
    const low = Number.parseInt(peer.slice(35, 39), 16);
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  if (peer.startsWith("::ffff:")) return parseAddress(peer)?.toString() ?? peer;
  return peer;
}

/** An entry of the header; some proxies write the port too. */
function parseForwarded(entry: string): string | null {
  if (isIPv4(entry)) return entry;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(entry)?.[1];
  return parseAddress(bracketed ?? withPort ?? entry)?.toString() ?? null;
}

function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parseRange(entry: string): Range {
  const parts = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry);
  const written = parts?.[1] ?? "";
  const address = parseAddress(written);
  if (address === null || written.includes("%")) throw notARange(entry);
  const bits = address.kind() === "ipv4" ? 32 : 128;
  // The prefix of a mapped address counts the 96 bits in front of it.
  const mappedBits = bits === 32 && written.includes(":") ? 96 : 0;
  const prefix = parts?.[2] === undefined ? bits : Number(parts[2]) - mappedBits;
  if (prefix < 0 || prefix > bits) throw notARange(entry);
  return [address, prefix];
}

function contains([range, prefix]: Range, address: Address): boolean {
  return range.kind() === address.kind() && address.match(range, prefix);
}

function notARange(entry: string): Error {
  return new Error(`"${entry}" is neither an IP address nor a CIDR range`);
}

const ipv6HostBits = 64;
const loggedBits = { ipv4: 24, ipv6: 48 };

/** Who is counted as one: an IPv4 address, or the IPv6 network that one subscriber has to himself. */
export function originOf(address: string): string {
  return ipaddr.isValid(address) ? network(address, { ipv4: 32, ipv6: ipv6HostBits }) : address;
}

/** What a log may hold of an address: enough to see a pattern, too little to name anybody. */
export function networkOf(address: string): string {
  return ipaddr.isValid(address) ? network(address, loggedBits) : "unknown";
}

function network(address: string, bits: Record<"ipv4" | "ipv6", number>): string {
  const parsed = ipaddr.process(address);
  const length = bits[parsed.kind()];
  const range = `${parsed.toNormalizedString()}/${length}`;
  const first =
    parsed.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(range)
      : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `${first.toString()}/${length}`;
}
