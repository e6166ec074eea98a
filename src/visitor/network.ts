/** Who counts as one, and what a log may hold of an address. */
import ipaddr from "ipaddr.js";

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
