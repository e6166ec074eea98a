/** The engine on sockets and Node's own parser: what `node:http` does around them, and a scan does not need, is left out. */

import { createServer, type Server, type Socket } from "node:net";
import { lingerBytesMax, pieceBytes } from "../../../limits.ts";
import type { Text } from "../../engine.ts";
import { Connection, type EngineParts, type Wire } from "../connection.ts";
import type { Message } from "../request.ts";
import { malformedOf, startsWithHead } from "../request-rules.ts";
import { dateLine } from "./date-line.ts";
import type { Parser, ParserProblem, Parsers } from "./parser.ts";

const blankLine = Buffer.from("\r\n\r\n");

class DirectWire implements Wire<Message> {
  readonly #socket: Socket;
  readonly #parsers: Parsers;
  readonly connection: Connection<Message>;
  readonly #peer: string | undefined;
  /** Lent while a message is incomplete. */
  #parser: Parser | null = null;
  /** Bytes that wait until what is before them is answered; the socket is paused then. */
  #rest: Buffer | null = null;
  /** The first piece of what the parser works at. */
  #beganWith: Buffer | null = null;
  #isOver = false;
  #dropped = 0;

  constructor(socket: Socket, parsers: Parsers, around: EngineParts) {
    this.#socket = socket;
    this.#parsers = parsers;
    this.#peer = socket.remoteAddress;
    this.connection = new Connection(around, this);
  }

  get peer(): string {
    return this.#peer ?? "";
  }

  get isTaken(): boolean {
    return this.#socket.writableLength === 0;
  }

  get hasMore(): boolean {
    return this.#rest !== null;
  }

  send(message: Message, head: string, body: Text, isLast: boolean): void {
    const socket = this.#socket;
    const told = isLast
      ? "\r\nConnection: close\r\n"
      : message.isHttp11
        ? "\r\n"
        : "\r\nConnection: keep-alive\r\n";
    const text = `HTTP/1.1 ${head}${told}${dateLine()}\r\n\r\n`;
    if (body.length === 0) socket.write(text, "latin1");
    else {
      socket.cork();
      socket.write(text, "latin1");
      socket.write(body);
      socket.uncork();
    }
    if (socket.writableLength > 0) socket.write("", () => this.connection.drained());
    if (isLast) this.finish();
  }

  sendLast(head: string, body: string): void {
    this.#socket.write(`HTTP/1.1 ${head}\r\nConnection: close\r\n${dateLine()}\r\n\r\n${body}`);
    this.finish();
  }

  sendHead(head: string): void {
    this.#socket.write(`HTTP/1.1 ${head}\r\n`, "latin1");
  }

  proceed(): void {
    this.#socket.write("HTTP/1.1 100 Continue\r\n\r\n", "latin1");
  }

  readOn(): void {
    const rest = this.#rest;
    this.#rest = null;
    if (rest !== null) this.#feed(rest);
    if (this.#rest === null && !this.#isOver) this.#socket.resume();
  }

  /** What the client still sends is read and dropped for a while, or it might lose the answer that it has. */
  finish(): void {
    this.#isOver = true;
    this.#rest = null;
    this.#giveParserBack(false);
    this.#socket.end();
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  lost(): void {
    this.#isOver = true;
    this.#rest = null;
    this.#giveParserBack(false);
    this.connection.lost();
  }

  came(bytes: Buffer): void {
    const { connection } = this;
    if (this.#isOver) {
      this.#dropped += bytes.length;
      if (this.#dropped > lingerBytesMax) connection.cut();
      return;
    }
    connection.asksOn();
    if (this.#rest !== null) this.#rest = Buffer.concat([this.#rest, bytes]);
    else this.#feed(bytes);
    if (this.#rest !== null) this.#socket.pause();
  }

  /** Gives the parser as much as may be served now; what is left is the rest. */
  #feed(bytes: Buffer): void {
    const { connection } = this;
    let at = 0;
    let isServed = false;
    while (at < bytes.length && !this.#isOver) {
      if (!connection.wantsBody && (isServed || connection.isBusy || connection.hasWaiting)) {
        this.#rest = at === 0 ? bytes : bytes.subarray(at);
        connection.moreCame();
        return;
      }
      const end = pieceEnd(bytes, at);
      if (this.#parse(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))) isServed = true;
      at = end;
    }
  }

  /** True when it held the head of a message: the first one is served at once, those behind it have to wait. */
  #parse(piece: Buffer): boolean {
    const { connection } = this;
    const parser = this.#parser ?? this.#parsers.lend();
    if (this.#parser === null) {
      connection.began();
      this.#beganWith = piece;
    }
    this.#parser = parser;
    const { open } = parser;
    const problem = parser.execute(piece);
    const { arrived } = parser;
    if (problem === null && parser.open === null && endsMessage(piece)) this.#giveParserBack(true);
    else if (arrived.length > 0) parser.arrived = [];
    if (open !== null) connection.bodyCame(open);
    for (let at = 0; at < arrived.length; at++) {
      if (at === 1) connection.moreCame();
      connection.arrived(arrived[at]!);
    }
    if (problem === null || this.#isOver) return arrived.length > 0;
    const malformed = malformedOf(problem);
    if (malformed === null) connection.cut();
    else connection.failed(malformed, this.#failedAtHead(piece, problem));
    return true;
  }

  /** Whether it was a HEAD request in which the parser gave up. */
  #failedAtHead(piece: Buffer, { bytesParsed = 0 }: ParserProblem): boolean {
    const before = piece.lastIndexOf(blankLine, bytesParsed - blankLine.length);
    return before < 0 || bytesParsed < blankLine.length
      ? startsWithHead(this.#beganWith ?? undefined)
      : startsWithHead(piece, before + blankLine.length);
  }

  #giveParserBack(isClean: boolean): void {
    const parser = this.#parser;
    this.#parser = null;
    this.#beganWith = null;
    if (parser !== null) this.#parsers.takeBack(parser, isClean);
  }
}

/** Pieces are small, so that few requests are parsed before one is answered, and end where one may end. */
function pieceEnd(bytes: Buffer, at: number): number {
  if (bytes.length - at <= pieceBytes) return bytes.length;
  const blank = bytes.indexOf(blankLine, at + pieceBytes - blankLine.length);
  return blank < 0 ? bytes.length : blank + blankLine.length;
}

function endsMessage(piece: Buffer): boolean {
  const at = piece.length;
  return piece[at - 1] === 0x0a && piece[at - 2] === 0x0d && piece[at - 3] === 0x0a && piece[at - 4] === 0x0d;
}

export function directServer(
  parsers: Parsers,
  around: EngineParts,
  opened: (connection: Connection<never>) => boolean,
): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const wire = new DirectWire(socket, parsers, around);
    socket.on("error", () => {});
    if (!opened(wire.connection as unknown as Connection<never>)) return;
    socket.on("data", (bytes: Buffer) => wire.came(bytes));
    socket.on("end", () => wire.connection.ended());
    socket.on("close", () => wire.lost());
  });
}
