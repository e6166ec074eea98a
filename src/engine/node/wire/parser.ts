/**
 * Node's own HTTP parser, used without the rest of `node:http`.
 *
 * It is what `node:http` itself parses with, so what it refuses is refused here. It is not documented, so nothing
 * is taken for granted: a check at the start holds it against what is needed, and where it fails the engine keeps
 * to the documented interface (`documented.ts`). It is found on a connection of a server that never listens, since
 * the ways to ask for it by name print warnings or are gone in newer versions of Node.
 *
 * A connection needs a parser only from the first byte of a message to its last, so a few serve thousands of
 * connections: they are lent.
 */

import { createServer, METHODS } from "node:http";
import { Duplex } from "node:stream";
import { headerBytesMax, idleParsersMax } from "../../../limits.ts";
import type { Message } from "../request.ts";

/** What is used of Node's parser. */
interface NativeParser {
  [event: number]: (...args: never[]) => unknown;
  initialize(type: number, resource: object, headerBytesMax: number, lenient: number): void;
  execute(bytes: Uint8Array): number | Error;
  close(): void;
}

interface NativeParserClass {
  new (): NativeParser;
  readonly REQUEST: number;
  readonly kOnHeaders: number;
  readonly kOnHeadersComplete: number;
  readonly kOnBody: number;
  readonly kOnMessageComplete: number;
}

export interface ParserProblem extends NodeJS.ErrnoException {
  /** How many bytes were well. */
  bytesParsed?: number;
}

export class Parsers {
  readonly #class: NativeParserClass;
  readonly #methods: readonly string[];
  readonly #idle: Parser[] = [];

  constructor(native: NativeParserClass, methods: readonly string[]) {
    this.#class = native;
    this.#methods = methods;
  }

  lend(): Parser {
    return this.#idle.pop() ?? new Parser(this.#class, this.#methods);
  }

  /** `isClean` when the last byte that it was given ended a message. */
  takeBack(parser: Parser, isClean: boolean): void {
    if (this.#idle.length === idleParsersMax) {
      parser.close();
      return;
    }
    parser.forget(isClean);
    this.#idle.push(parser);
  }
}

/** Collects what came of messages, and calls nobody. */
export class Parser {
  readonly #native: NativeParser;
  readonly #requestType: number;
  #headers: string[] = [];
  #target = "";
  /** Messages whose heads were in the bytes of the last call. */
  arrived: Message[] = [];
  /** The last one, as long as it is not whole. */
  open: Message | null = null;
  #isSpent = false;

  constructor(native: NativeParserClass, methods: readonly string[]) {
    this.#native = new native();
    this.#requestType = native.REQUEST;
    this.#native.initialize(this.#requestType, this, headerBytesMax, 0);
    // Long heads come in several calls, and so do the headers behind a body, which nobody wants.
    this.#native[native.kOnHeaders] = (headers: string[], target: string) => {
      if (this.open !== null) return;
      this.#headers = this.#headers.concat(headers);
      this.#target += target;
    };
    this.#native[native.kOnHeadersComplete] = (
      major: number,
      minor: number,
      headers: string[] | undefined,
      method: number,
      target: string | undefined,
      _status: unknown,
      _text: unknown,
      isUpgrade: boolean,
      keepAlive: boolean,
    ) => {
      const message: Message = {
        method: methods[method]!,
        target: target ?? this.#target,
        rawHeaders: headers ?? this.#headers,
        major,
        isHttp11: minor >= 1,
        keepAlive,
        isWhole: false,
        parts: null,
      };
      if (headers === undefined) {
        this.#headers = [];
        this.#target = "";
      }
      // What the parser takes for the beginning of another protocol, or for the end.
      if (isUpgrade || !keepAlive) this.#isSpent = true;
      this.open = message;
      this.arrived.push(message);
      return 0;
    };
    this.#native[native.kOnBody] = (part: Uint8Array) => {
      const message = this.open!;
      message.parts ??= [];
      message.parts.push(part);
    };
    this.#native[native.kOnMessageComplete] = () => {
      if (this.open !== null) this.open.isWhole = true;
      this.open = null;
    };
  }

  /** Null when all went well. */
  execute(bytes: Uint8Array): ParserProblem | null {
    const result = this.#native.execute(bytes);
    if (typeof result !== "number") return result;
    return result === bytes.length ? null : unexpected;
  }

  forget(isClean: boolean): void {
    this.open = null;
    if (this.arrived.length > 0) this.arrived = [];
    if (isClean && !this.#isSpent) return;
    this.#headers = [];
    this.#target = "";
    this.#isSpent = false;
    this.#native.initialize(this.#requestType, this, headerBytesMax, 0);
  }

  /** Not within a call of its own. */
  close(): void {
    setImmediate(() => this.#native.close());
  }
}

/** Bytes that the parser left: as for any other thing that is no HTTP. */
const unexpected: ParserProblem = Object.assign(new Error("bytes are left"), { code: "HPE_LEFT" });

/** Null where Node's parser is not what this engine knows. */
export function openParsers(): Parsers | null {
  try {
    const native = findParser();
    const parsers = new Parsers(native, methodsOf(native));
    checkParser(parsers);
    return parsers;
  } catch {
    return null;
  }
}

function findParser(): NativeParserClass {
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  createServer().emit("connection", connection);
  const { parser } = connection as unknown as { parser: NativeParser };
  connection.destroy();
  return parser.constructor as unknown as NativeParserClass;
}

/** The parser has numbers for methods, in an order of its own. */
function methodsOf(native: NativeParserClass): string[] {
  const methods: string[] = [];
  const parser = new native();
  for (const name of METHODS) {
    parser.initialize(native.REQUEST, {}, headerBytesMax, 0);
    parser[native.kOnHeadersComplete] = (...given: unknown[]) => {
      methods[given[3] as number] = name;
      return 0;
    };
    parser.execute(Buffer.from(`${name} ${name === "CONNECT" ? "a:1" : "/"} HTTP/1.1\r\nHost: a\r\n\r\n`));
  }
  parser.close();
  return methods;
}

const manyHeaders = Array.from({ length: 40 }, (_, at) => [`N${at}`, `v${at}`]);
const longHead = manyHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join("");

/** Everything that is counted on, tried. */
function checkParser(parsers: Parsers): void {
  const parser = parsers.lend();
  const takes = (text: string, expected: readonly Partial<Message>[]) => {
    require(parser.execute(Buffer.from(text, "latin1")) === null, text);
    const got = parser.arrived;
    parser.arrived = [];
    require(got.length === expected.length, text);
    expected.forEach((wanted, at) => {
      for (const [key, value] of Object.entries(wanted)) {
        require(JSON.stringify(got[at]![key as keyof Message]) === JSON.stringify(value), `${text}: ${key}`);
      }
    });
  };
  const get = { method: "GET", target: "/a?b", rawHeaders: ["Host", "x"], isWhole: true, keepAlive: true };
  const oneGet = "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n";
  takes(oneGet, [{ ...get, isHttp11: true, parts: null }]);
  takes(oneGet + oneGet, [get, get]);
  takes("HEAD /h HTTP/1.1\r\nHo", []);
  takes("st: é \r\n\r\n", [{ method: "HEAD", target: "/h", rawHeaders: ["Host", "é"], isWhole: true }]);
  takes(`PATCH /${"p".repeat(50)} HTTP/1.1\r\n${longHead}\r\n`, [
    { method: "PATCH", target: `/${"p".repeat(50)}`, rawHeaders: manyHeaders.flat(), isWhole: true },
  ]);
  for (const body of [
    "Content-Length: 3\r\n\r\nabc",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: r\r\n\r\n",
  ]) {
    takes(`POST / HTTP/1.1\r\n${body}${oneGet}`, [{ method: "POST", isWhole: true }, get]);
  }
  takes("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", [{ method: "POST", isWhole: false }]);
  require(Buffer.from(parser.open!.parts![0]!).toString() === "ab", "a part of a body");
  takes("c", []);
  require(parser.open === null, "the end of a body");
  takes("GET / HTTP/1.0\r\n\r\n", [{ isHttp11: false, keepAlive: false, isWhole: true }]);
  const refused = {
    HPE_HEADER_OVERFLOW: `GET / HTTP/1.1\r\nA: ${"a".repeat(headerBytesMax)}\r\n\r\n`,
    HPE_: "nonsense\r\n\r\n",
    HPE_INVALID: "GET / HTTP/1.1\r\n: x\r\n\r\n",
    HPE_UNEXPECTED: "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
    HPE_INVALID_TRANSFER: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, x\r\n\r\n",
  };
  for (const [code, text] of Object.entries(refused)) {
    parser.forget(false);
    require(parser.execute(Buffer.from(text))?.code?.startsWith(code) === true, text);
  }
  parsers.takeBack(parser, false);
}

function require(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Node's parser is another one: ${what}`);
}
