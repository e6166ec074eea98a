/**
 * The HTTP library's side of a scan: an app that keeps the handlers it is given, a request, and a response with
 * the library's manners. After an abort every use of a response throws.
 */
import type { HttpApp, HttpRequest, HttpResponse, Text } from "../../../src/engine/engine.ts";

export interface ScanAnswer {
  status: number;
  location: string | null;
  body: string;
}

type Handler = (res: HttpResponse, req: HttpRequest) => void;

export interface ScanApp {
  app: HttpApp;
  serve(method: "GET" | "HEAD", slug: string, res: ScanResponse): void;
}

export function scanApp(): ScanApp {
  const handlers = new Map<string, Handler>();
  const app = {
    get: (path: string, handler: Handler) => handlers.set(`GET ${path}`, handler),
    head: (path: string, handler: Handler) => handlers.set(`HEAD ${path}`, handler),
  };
  return {
    app: app as unknown as HttpApp,
    serve(method, slug, res) {
      const req = { getHeader: () => "", forEach() {}, getParameter: () => slug };
      handlers.get(`${method} /:slug`)!(res as unknown as HttpResponse, req as unknown as HttpRequest);
    },
  };
}

const visitorAddress = Uint8Array.of(192, 0, 2, 1).buffer;
const locationStart = "Location: ";

export class ScanResponse {
  readonly #onAnswer: (answer: ScanAnswer) => void;
  #head = "";
  #state: "open" | "answered" | "aborted" = "open";
  #onAborted: () => void = () => {};

  constructor(onAnswer: (answer: ScanAnswer) => void) {
    this.#onAnswer = onAnswer;
  }

  get isAborted(): boolean {
    return this.#state === "aborted";
  }

  /** The visitor leaves. */
  abort(): void {
    if (this.#state !== "open") return;
    this.#state = "aborted";
    this.#onAborted();
  }

  onAborted(handler: () => void): this {
    this.#requireOpen();
    this.#onAborted = handler;
    return this;
  }

  cork(run: () => void): this {
    this.#requireOpen();
    run();
    return this;
  }

  writeStatus(status: Text): this {
    this.#requireOpen();
    this.#head = textOf(status);
    return this;
  }

  writeHeader(): this {
    this.#requireOpen();
    return this;
  }

  end(body: Text = ""): this {
    this.#requireOpen();
    this.#state = "answered";
    const at = this.#head.indexOf(locationStart);
    this.#onAnswer({
      status: Number(this.#head.slice(0, 3)),
      location: at < 0 ? null : this.#head.slice(at + locationStart.length).split("\r\n")[0]!,
      body: textOf(body),
    });
    return this;
  }

  /** Visitors here take all they are given. */
  tryEnd(body: Text): [boolean, boolean] {
    this.end(body);
    return [true, true];
  }

  endWithoutBody(): this {
    return this.end();
  }

  /** An answer without a body that ends its connection is not ended otherwise. */
  close(): this {
    return this.end();
  }

  getRemoteAddress(): ArrayBuffer {
    return visitorAddress;
  }

  #requireOpen(): void {
    if (this.#state !== "open") throw new Error(`the response is ${this.#state}`);
  }
}

function textOf(text: Text): string {
  return typeof text === "string" ? text : Buffer.from(text as Uint8Array).toString("latin1");
}
