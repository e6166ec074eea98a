/** The engine on what `node:http` documents, and nothing else: any version of Node serves with it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { headerBytesMax } from "../../../limits.ts";
import type { Text } from "../../engine.ts";
import { Connection, type EngineParts, type Wire } from "../connection.ts";
import { isSameName, type Message } from "../request.ts";
import { malformedOf, startsWithHead } from "../request-rules.ts";
import { dateLine } from "./date-line.ts";

interface Asked extends Message {
  readonly res: ServerResponse;
}

class DocumentedWire implements Wire<Asked> {
  readonly #socket: Socket;
  readonly connection: Connection<Asked>;
  readonly peer: string;
  /** Node reads by itself. */
  readonly hasMore = false;

  constructor(socket: Socket, around: EngineParts) {
    this.#socket = socket;
    this.peer = socket.remoteAddress ?? "";
    this.connection = new Connection(around, this);
  }

  get isTaken(): boolean {
    return this.#socket.writableLength === 0;
  }

  send({ res }: Asked, head: string, body: Text, isLast: boolean): void {
    const [status, ...lines] = head.split("\r\n") as [string, ...string[]];
    const headers: string[] = [];
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon > 0) headers.push(line.slice(0, colon), line.slice(colon + 1).trimStart());
    }
    if (isLast) headers.push("Connection", "close");
    res.writeHead(Number(status.slice(0, 3)), status.slice(4), headers);
    res.end(body);
    if (!this.isTaken) res.once("finish", () => this.connection.drained());
  }

  sendLast(head: string, body: string): void {
    this.#socket.end(`HTTP/1.1 ${head}\r\nConnection: close\r\n${dateLine()}\r\n\r\n${body}`);
  }

  sendHead(head: string): void {
    this.#socket.write(`HTTP/1.1 ${head}\r\n`);
  }

  /** Node tells by itself. */
  proceed(): void {}

  readOn(): void {}

  finish(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

export function documentedServer(
  around: EngineParts,
  opened: (connection: Connection<never>) => boolean,
): Server {
  const wires = new WeakMap<Socket, DocumentedWire>();
  const server = createServer({
    maxHeaderSize: headerBytesMax,
    // The connection has its own rules and times.
    requireHostHeader: false,
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: 0,
  });
  server.maxHeadersCount = 0;
  server.timeout = 0;
  server.on("connection", (socket) => {
    const wire = new DocumentedWire(socket, around);
    if (!opened(wire.connection as unknown as Connection<never>)) return;
    wires.set(socket, wire);
    socket.on("close", () => wire.connection.lost());
  });
  server.on("request", (req, res) => {
    const connection = wires.get(req.socket)?.connection;
    if (connection === undefined || connection.isGone) return;
    const message = messageOf(req, res);
    connection.arrived(message);
    if (message.isWhole) return;
    req.on("data", (part: Buffer) => {
      message.parts ??= [];
      message.parts.push(part);
      connection.bodyCame(message);
    });
    req.on("end", () => {
      message.isWhole = true;
      connection.bodyCame(message);
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const connection = wires.get(socket as Socket)?.connection;
    const malformed = malformedOf(error);
    if (connection === undefined || malformed === null) socket.destroy();
    else connection.failed(malformed, startsWithHead((error as { rawPacket?: Buffer }).rawPacket));
  });
  return server;
}

function messageOf(req: IncomingMessage, res: ServerResponse): Asked {
  return {
    res,
    method: req.method!,
    target: req.url!,
    rawHeaders: req.rawHeaders,
    major: req.httpVersionMajor,
    isHttp11: req.httpVersionMinor >= 1,
    keepAlive: res.shouldKeepAlive,
    isWhole: !hasBody(req.rawHeaders),
    parts: null,
  };
}

function hasBody(rawHeaders: readonly string[]): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (isSameName(name, "transfer-encoding")) return true;
    if (isSameName(name, "content-length")) return Number(rawHeaders[at + 1]) !== 0;
  }
  return false;
}
