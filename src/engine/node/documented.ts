/** The engine on what `node:http` documents, and nothing else: any version of Node serves with it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { headerBytesMax } from "../../limits.ts";
import type { Text } from "../engine.ts";
import { Connection, type Message, type Surroundings, type Wire } from "./connection.ts";
import { isSameName } from "./request.ts";
import type { Refusal } from "./request-rules.ts";

interface Asked extends Message {
  readonly res: ServerResponse;
}

class DocumentedWire implements Wire<Asked> {
  readonly #socket: Socket;
  readonly #refusalText: (refusal: Refusal) => string;
  readonly connection: Connection<Asked>;
  readonly peer: string;
  /** Node reads by itself. */
  readonly hasMore = false;

  constructor(socket: Socket, around: Surroundings, refusalText: (refusal: Refusal) => string) {
    this.#socket = socket;
    this.#refusalText = refusalText;
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

  refuse(refusal: Refusal): void {
    this.#socket.end(this.#refusalText(refusal));
  }

  readOn(): boolean {
    return false;
  }

  finish(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

export function documentedServer(
  around: Surroundings,
  opened: (connection: Connection<never>) => boolean,
  refusalText: (refusal: Refusal) => string,
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
    const wire = new DocumentedWire(socket, around, refusalText);
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
    req.on("data", (part: Buffer) => connection.body(message, part, false));
    req.on("end", () => connection.body(message, nothing, true));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const connection = wires.get(socket as Socket)?.connection;
    const refusal = refusalOf(error);
    if (connection === undefined || refusal === null) socket.destroy();
    else connection.failed(refusal);
  });
  return server;
}

const nothing = new Uint8Array();

function messageOf(req: IncomingMessage, res: ServerResponse): Asked {
  return {
    res,
    method: req.method!,
    target: req.url!,
    rawHeaders: req.rawHeaders,
    isHttp11: req.httpVersionMinor >= 1,
    keepAlive: res.shouldKeepAlive,
    isWhole: !hasBody(req.rawHeaders),
    early: [],
  };
}

export function hasBody(rawHeaders: readonly string[]): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (isSameName(name, "transfer-encoding")) return true;
    if (isSameName(name, "content-length")) return Number(rawHeaders[at + 1]) !== 0;
  }
  return false;
}

/** Null when the connection has merely ended. */
export function refusalOf(error: NodeJS.ErrnoException): Refusal | null {
  if (error.code === "HPE_HEADER_OVERFLOW") return { status: 431, problem: "The headers are too large." };
  if (error.code === "HPE_INVALID_EOF_STATE" || !error.code?.startsWith("HPE_")) return null;
  return { status: 400, problem: "This is not a well-formed HTTP request." };
}
