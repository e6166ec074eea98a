import { isIPv4 } from "node:net";

const ipv6Groups = 8;

/** The bytes of an address as Node writes one: four, or sixteen. */
export function addressBytes(address: string): ArrayBuffer {
  const text = address.split("%")[0]!;
  const bytes = isIPv4(text) ? ipv4Bytes(text) : ipv6Bytes(text);
  return Uint8Array.from(bytes).buffer;
}

function ipv4Bytes(text: string): number[] {
  return text.split(".").map(Number);
}

function ipv6Bytes(text: string): number[] {
  const groupsOf = (part: string): number[] =>
    part === ""
      ? []
      : part.split(":").flatMap((group) => (group.includes(".") ? pairs(group) : [parseInt(group, 16)]));
  const [before = "", after] = text.split("::");
  const first = groupsOf(before);
  const last = after === undefined ? [] : groupsOf(after);
  const between = new Array<number>(Math.max(0, ipv6Groups - first.length - last.length)).fill(0);
  return [...first, ...between, ...last].flatMap((group) => [group >> 8, group & 0xff]);
}

/** The last 32 bits of an address may be written as IPv4. */
function pairs(text: string): number[] {
  const [a, b, c, d] = ipv4Bytes(text);
  return [(a! << 8) | b!, (c! << 8) | d!];
}
