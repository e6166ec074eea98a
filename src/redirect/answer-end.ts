/**
 * How answers in this room end. While the server drains, each ends its connection: one object knows, and nobody else
 * has to be told.
 */
import type { HttpResponse } from "../engine/engine.ts";

export class AnswerEnd {
  #isClosing = false;

  /** From now on every answer ends its connection. */
  startClosing(): void {
    this.#isClosing = true;
  }

  /** The answer to a plain scan. */
  empty(res: HttpResponse): void {
    if (this.#isClosing) res.end("", true);
    else res.end();
  }

  /** Made at once, such answers can be asked for without end by a client that reads none: it loses its connection. */
  withBody(res: HttpResponse, body: string): void {
    if (this.#isClosing) res.end(body, true);
    else if (!res.tryEnd(body, Buffer.byteLength(body))[1]) res.close();
  }

  /**
   * The answer to a HEAD. Not with the length as an argument: the library would then wait for a body that never
   * comes, and close the connection at its next request.
   */
  withLengthOf(res: HttpResponse, body: string): void {
    res.writeHeader("Content-Length", String(Buffer.byteLength(body)));
    this.withoutLength(res);
  }

  withoutLength(res: HttpResponse): void {
    if (this.#isClosing) res.writeHeader("Connection", "close");
    res.endWithoutBody();
  }
}
