/**
 * How answers in this room leave, and what becomes of a client that asks and does not read: what the system does not
 * take of its answers would be kept for as long as it asks for more, so it loses its connection.
 *
 * Whether bytes were taken is told of bodies only. An answer with a body is therefore offered, and a redirect, which
 * has none, now and then gets a line break for a body and is offered too. When that is, no client can tell before, nor
 * on which of its connections; so what one can leave unread is `redirectsUnseenMean` redirects on average. Ending a
 * connection after so many would be as safe, and cost those who do read a connection each time; that is left to
 * answers to HEAD, which cannot have a body.
 *
 * While the server drains, each answer ends its connection: one object knows, and nobody else has to be told.
 */
import type { HttpResponse, Text } from "../engine/engine.ts";
import { sendLastBodiless } from "../http/bodiless-answer.ts";
import { headsOfConnectionMean, redirectsUnseenMean } from "../limits.ts";
import { type Random, randomBelow } from "../runtime/random.ts";

const lineBreak = "\n";
const noted = () => {};

export class AnswerEnd {
  readonly #random: Random;
  #isClosing = false;
  #untilSeen = redirectsUnseenMean;
  #untilLast = headsOfConnectionMean;

  constructor(random: Random) {
    this.#random = random;
  }

  startClosing(): void {
    this.#isClosing = true;
  }

  /** Whether the next redirect may leave as a head with a length of its own, which is least work; `empty` sends any other. */
  mayLeaveUnseen(): boolean {
    return !this.#isClosing && --this.#untilSeen > 0;
  }

  /** A redirect. */
  empty(res: HttpResponse, head: Text): void {
    res.writeStatus(head);
    if (this.#isClosing) res.end("", true);
    else if (--this.#untilSeen > 0) res.end();
    else {
      this.#untilSeen = this.#drawn(redirectsUnseenMean);
      offer(res, lineBreak);
    }
  }

  withBody(res: HttpResponse, head: string, body: string): void {
    res.writeStatus(head);
    if (this.#isClosing) res.end(body, true);
    else offer(res, body);
  }

  /** The answer to a HEAD. */
  withLengthOf(res: HttpResponse, head: string, body: string): void {
    this.withoutBody(res, `${head}\r\nContent-Length: ${Buffer.byteLength(body)}`);
  }

  withoutBody(res: HttpResponse, head: string): void {
    if (!this.#isClosing && --this.#untilLast === 0) {
      this.#untilLast = this.#drawn(headsOfConnectionMean);
      let isThere = true;
      res.onAborted(() => {
        isThere = false;
      });
      sendLastBodiless(res, head, () => isThere, noted);
      return;
    }
    // Not with a length as an argument: the library would wait for a body, and close at the next request.
    res.writeStatus(this.#isClosing ? `${head}\r\nConnection: close` : head).endWithoutBody();
  }

  #drawn(mean: number): number {
    return 1 + randomBelow(2 * mean - 1, this.#random);
  }
}

function offer(res: HttpResponse, body: string): void {
  if (!res.tryEnd(body, Buffer.byteLength(body))[1]) res.close();
}
