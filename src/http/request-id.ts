/**
 * The ids of requests: UUIDs of version 4.
 *
 * Node makes one of twenty pieces of text, half a kilobyte in all, and whoever sends it has to put those together. Here
 * some are written side by side into one text, and each is a cut of it.
 */
import { systemRandom } from "../runtime/random.ts";

const idBytes = 16;
const idChars = 36;
/** A cut keeps the whole text in memory: so few that this does not matter. */
const idsAtOnce = 32;

const written = Buffer.alloc(idsAtOnce * idChars);
const digits = Buffer.from("0123456789abcdef");
const dash = "-".charCodeAt(0);

let ids = "";
let at = 0;

export function newRequestId(): string {
  if (at === ids.length) {
    ids = newIds();
    at = 0;
  }
  const id = ids.slice(at, at + idChars);
  at += idChars;
  return id;
}

function newIds(): string {
  const random = systemRandom(idsAtOnce * idBytes);
  let to = 0;
  for (let of = 0; of < random.length; of += idBytes) {
    random[of + 6] = (random[of + 6]! & 0x0f) | 0x40;
    random[of + 8] = (random[of + 8]! & 0x3f) | 0x80;
    for (let byte = 0; byte < idBytes; byte++) {
      if (byte === 4 || byte === 6 || byte === 8 || byte === 10) written[to++] = dash;
      const value = random[of + byte]!;
      written[to++] = digits[value >> 4]!;
      written[to++] = digits[value & 0x0f]!;
    }
  }
  return written.toString("latin1");
}
