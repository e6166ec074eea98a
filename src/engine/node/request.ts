import type { HttpRequest, Text } from "../engine.ts";

export interface Message {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  /** Of the version: HTTP/1.0 has 1 and 0. */
  readonly major: number;
  readonly isHttp11: boolean;
  readonly keepAlive: boolean;
  /** Whether all of its body is here, too. */
  isWhole: boolean;
  /** What came of its body and was not handed on yet; null for nothing. */
  parts: Uint8Array[] | null;
}

/** Names that the program gives as bytes are constants of it, so this stays small. */
const nameOfBytes = new Map<Uint8Array, string>();

function textOfName(name: Text): string {
  if (typeof name === "string") return name;
  let text = nameOfBytes.get(name);
  if (text === undefined) {
    text = Buffer.from(name).toString("latin1");
    nameOfBytes.set(name, text);
  }
  return text;
}

/** A request as Node's parser gives it: names and values in turn, each byte a character. */
export class NodeRequest implements HttpRequest {
  readonly #method: string;
  readonly #target: string;
  /** Where the query begins, or the end. */
  readonly #pathEnd: number;
  readonly #rawHeaders: readonly string[];
  /** Set by the router. */
  params: readonly string[] = noParams;

  constructor(method: string, target: string, rawHeaders: readonly string[]) {
    this.#method = method;
    this.#target = target;
    this.#rawHeaders = rawHeaders;
    const question = target.indexOf("?");
    this.#pathEnd = question < 0 ? target.length : question;
  }

  getMethod(): string {
    return this.#method.toLowerCase();
  }

  getCaseSensitiveMethod(): string {
    return this.#method;
  }

  getUrl(): string {
    return this.#target.slice(0, this.#pathEnd);
  }

  getQuery(): string {
    return this.#target.slice(this.#pathEnd + 1);
  }

  getParameter(index: number): string | undefined {
    return this.params[index];
  }

  getHeader(lowerCaseName: Text): string {
    const name = textOfName(lowerCaseName);
    const headers = this.#rawHeaders;
    for (let at = 0; at < headers.length; at += 2) {
      if (isSameName(headers[at]!, name)) return decoded(headers[at + 1]!);
    }
    return "";
  }

  forEach(each: (lowerCaseName: string, value: string) => void): void {
    const headers = this.#rawHeaders;
    for (let at = 0; at < headers.length; at += 2)
      each(headers[at]!.toLowerCase(), decoded(headers[at + 1]!));
  }
}

const noParams: readonly string[] = [];

/** Whether a name as it was sent is this one, which is in lower case. */
export function isSameName(sent: string, lowerCaseName: string): boolean {
  if (sent.length !== lowerCaseName.length) return false;
  return sent === lowerCaseName || sent.toLowerCase() === lowerCaseName;
}

/** Bytes that were taken for characters, as the UTF-8 that they are meant to be. */
function decoded(value: string): string {
  for (let at = 0; at < value.length; at++) {
    if (value.charCodeAt(at) > 0x7f) return Buffer.from(value, "latin1").toString();
  }
  return value;
}
