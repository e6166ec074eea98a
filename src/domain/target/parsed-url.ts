/**
 * URLs as the WHATWG parser reads them.
 *
 * Nearly every URL that comes is written as the parser would leave it. Such a one is taken apart by a pattern, in less than
 * half of the time: the parser and its accessors are a twentieth of all that a create costs the event loop. What the pattern
 * does not know (ports, escapes in the path, dots beside slashes, addresses, capitals in the host) is left to the parser.
 */

export interface ParsedUrl {
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** The last label is of letters, so that it is no address; no label has two hyphens in a row, so that none is encoded. */
const host = /(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}/;
const pathCharacter = "[\\w~!$&()*+,;=:@-]";
const path = `(?:/(?:${pathCharacter}+(?:\\.${pathCharacter}+)*)?)+`;
const anyCharacter = "[\\w~!$&()*+,;=:@./?%-]";
const asParsed = new RegExp(
  `^(https?:)//(${host.source})(${path})(\\?${anyCharacter}+)?(#${anyCharacter}+)?$`,
);

/**
 * The URL that a text is, or null. `URL.canParse` is not asked: on Node 20 and 22, once it is called often
 * enough to be compiled, it answers no to any text with a Latin-1 letter such as `ü` in it.
 */
export function parseUrl(text: string): ParsedUrl | null {
  const plain = plainUrl(text);
  if (plain !== null) return plain;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Null of whatever the parser might leave otherwise than it is written. */
export function plainUrl(text: string): ParsedUrl | null {
  const parts = asParsed.exec(text);
  if (parts === null) return null;
  return {
    href: text,
    protocol: parts[1]!,
    username: "",
    password: "",
    hostname: parts[2]!,
    port: "",
    pathname: parts[3]!,
    search: parts[4] ?? "",
    hash: parts[5] ?? "",
  };
}
