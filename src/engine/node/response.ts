import type { HttpResponse, Text } from "../engine.ts";
import { addressBytes } from "./peer-address.ts";

/** What carries an answer to the client. */
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
  /** Drops the connection. */
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
    this.#state = "offered";
    if (this.#outlet.send(this.#withLength(totalBytes), this.#isHead ? "" : body, false)) {
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

function bytesOf(body: Text): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Memory of its own, as whoever reads it takes all of it. */
function exact(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
