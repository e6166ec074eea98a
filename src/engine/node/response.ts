import { isIPv4 } from "node:net";
import type { HttpResponse, Text } from "../engine.ts";

export interface Outlet {
  /** The peer, as Node writes it. */
  readonly peer: string;
  /**
   * Sends an answer. The head begins with the status and has no line break at its end. False when the system did
   * not take all of it at once.
   */
  send(head: string, body: Text, close: boolean): boolean;
  /** Sends a head whose end nobody will write. */
  sendHead(head: string): void;
  cut(): void;
}

const unwritten = "200 OK";

/** open → offered → over; open → over; anything → over when the connection is lost. */
type State = "open" | "offered" | "over";

/** An answer. The rules are in `engine.ts`. */
export class NodeResponse implements HttpResponse {
  readonly #outlet: Outlet;
  readonly #isHead: boolean;
  #state: State = "open";
  #head = unwritten;
  /** Bytes of the body that was offered and not yet taken. */
  #offered = 0;
  #isTaken = false;
  /** The parts of a body that were offered before the last one: an answer leaves in one piece. */
  #begun: Uint8Array | null = null;
  #onAborted: (() => void) | null = null;
  #onWritable: ((bodyBytesGone: number) => boolean) | null = null;
  #onData: ((part: ArrayBuffer, isLast: boolean) => void) | null = null;

  constructor(outlet: Outlet, isHead: boolean) {
    this.#outlet = outlet;
    this.#isHead = isHead;
  }

  writeStatus(status: Text): this {
    this.#requireOpen();
    this.#head = textOf(status);
    return this;
  }

  writeHeader(name: Text, value: Text): this {
    this.#requireOpen();
    this.#head += `\r\n${textOf(name)}: ${textOf(value)}`;
    return this;
  }

  end(body: Text = "", close = false): this {
    this.#requireOpen();
    this.#send(body, bytesOf(body), close);
    return this;
  }

  endWithoutBody(length?: number, close = false): this {
    this.#requireOpen();
    this.#send("", length ?? -1, close);
    return this;
  }

  tryEnd(body: Text, totalBytes: number): [isTaken: boolean, isWhole: boolean] {
    if (this.#state === "offered") return this.#offeredAgain();
    this.#requireOpen();
    const whole = this.#begun === null ? body : Buffer.concat([this.#begun, asBytes(body)]);
    if (bytesOf(whole) < totalBytes) {
      this.#begun = asBytes(whole);
      return [true, false];
    }
    this.#state = "offered";
    if (this.#outlet.send(this.#withLength(totalBytes), this.#isHead ? "" : whole, false)) {
      this.#state = "over";
      return [true, true];
    }
    this.#offered = totalBytes;
    return [false, false];
  }

  onWritable(handler: (bodyBytesGone: number) => boolean): this {
    this.#requireThere();
    this.#onWritable = handler;
    return this;
  }

  onAborted(handler: () => void): this {
    this.#requireThere();
    this.#onAborted = handler;
    return this;
  }

  onData(handler: (part: ArrayBuffer, isLast: boolean) => void): this {
    this.#requireOpen();
    this.#onData = handler;
    return this;
  }

  /** An answer is sent in one piece anyway; a head that is not followed by its end leaves alone. */
  cork(write: () => void): this {
    this.#requireThere();
    this.#head = unwritten;
    write();
    if (this.#state === "open" && this.#head !== unwritten) this.#outlet.sendHead(this.#head);
    return this;
  }

  close(): this {
    this.#requireThere();
    this.#outlet.cut();
    return this;
  }

  getRemoteAddress(): ArrayBuffer {
    this.#requireThere();
    return addressBytes(this.#outlet.peer);
  }

  getRemoteAddressAsText(): ArrayBuffer {
    this.#requireThere();
    return exact(Buffer.from(this.#outlet.peer, "latin1"));
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** An answer that the client does not take as fast as it comes. */
  get isOffered(): boolean {
    return this.#state === "offered";
  }

  get hasAbortHandler(): boolean {
    return this.#onAborted !== null;
  }

  /** For the connection: the client has taken what was offered. */
  taken(): void {
    this.#isTaken = true;
    this.#onWritable?.(this.#offered);
    this.#state = "over";
  }

  /** For the connection: it is lost. */
  abort(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#onAborted?.();
  }

  /** For the connection: a part of the body. Dropped when nobody wants it. */
  data(part: Uint8Array, isLast: boolean): void {
    if (this.#state === "open") this.#onData?.(exact(part), isLast);
  }

  #offeredAgain(): [boolean, boolean] {
    if (!this.#isTaken) return [false, false];
    this.#state = "over";
    return [true, true];
  }

  #send(body: Text, length: number, close: boolean): void {
    this.#state = "over";
    this.#outlet.send(length < 0 ? this.#head : this.#withLength(length), this.#isHead ? "" : body, close);
  }

  #withLength(length: number): string {
    return `${this.#head}\r\nContent-Length: ${length}`;
  }

  #requireOpen(): void {
    if (this.#state !== "open") throw new Error("the response is over, or its client gone");
  }

  #requireThere(): void {
    if (this.#state === "over") throw new Error("the response is over, or its client gone");
  }
}

/** Without a buffer around the bytes, which would cost more than the text. */
const { latin1Slice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, from: number, to: number): string;
};

function textOf(text: Text): string {
  return typeof text === "string" ? text : latin1Slice.call(text, 0, text.length);
}

function asBytes(body: Text): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}

function bytesOf(body: Text): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Memory of its own, as whoever reads it takes all of it. */
function exact(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

const ipv6Groups = 8;

/** The bytes of an address as Node writes one: four, or sixteen. */
function addressBytes(address: string): ArrayBuffer {
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
