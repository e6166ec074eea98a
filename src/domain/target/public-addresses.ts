/**
 * Which addresses are public, for hosts as the WHATWG URL parser leaves them: four decimal numbers, or IPv6 in
 * brackets. All other spellings (octal, hex, short, one number) are gone by then.
 *
 * IPv4 is public unless it lies in a special range. IPv6 is the other way round: it is public only inside
 * 2000::/3, where the Internet is, and outside the special ranges there. Prefixes that carry an IPv4 address
 * lead to that address, so it is the one that is judged.
 */
import ipaddr from "ipaddr.js";

/** Not in any special range, yet reachable from inside a cloud only: Azure's host agent. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The parser lets no name through that ends in a number, so this needs no bounds. */
const fourNumbers = /^\d+\.\d+\.\d+\.\d+$/;
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Whether the host is an address at all, and what is wrong with it if so. */
export function addressProblem(host: string): "not an address" | "not public" | null {
  if (host.startsWith("[")) return isPublicIpv6(ipaddr.IPv6.parse(host.slice(1, -1))) ? null : "not public";
  if (!fourNumbers.test(host)) return "not an address";
  return isPublicIpv4(ipaddr.IPv4.parse(host)) ? null : "not public";
}

/** The IPv4 address that an IPv6 host stands for, in four numbers; any other host as it is. */
export function addressBehind(host: string): string {
  if (!host.startsWith("[")) return host;
  return carried(ipaddr.IPv6.parse(host.slice(1, -1)))?.toString() ?? host;
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !metadataAddresses.has(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  const ipv4 = carried(address);
  if (ipv4 !== null) return isPublicIpv4(ipv4);
  return address.range() === "unicast" && address.match(globalUnicast);
}

function carried(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress() || address.match(nat64)) return embedded(address.toByteArray(), 12);
  return address.range() === "6to4" ? embedded(address.toByteArray(), 2) : null;
}

function embedded(bytes: readonly number[], from: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(from, from + 4));
}
