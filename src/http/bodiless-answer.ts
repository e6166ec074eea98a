/**
 * Answers without a body: to HEAD, and 304. Nobody learns whether they were taken, so each has the same small chance to
 * end its connection: a client that reads none has `bodilessAnswersMean` of them waiting on average, and ten times as
 * many once in twenty thousand connections. By chance, because nobody tells on which connection a request came, and a
 * count over all connections would be led past by a client that has two.
 */
import type { HttpResponse } from "../engine/engine.ts";
import { bodilessAnswersMean } from "../limits.ts";
import { randomBelow, systemRandom } from "../runtime/random.ts";

export function isLastByChance(): boolean {
  return randomBelow(bodilessAnswersMean, systemRandom) === 0;
}

/**
 * The library's own ways of ending such an answer either leave the connection waiting for a body, or do not close it.
 * So the last one of a connection is never ended: the blank line after its head is all it needs. It leaves in a turn of
 * its own: what is written while a request is parsed leaves later, and the close would be first.
 *
 * Whoever calls has set an abort handler, and tells whether the client is still there. `sent` is called before the
 * connection is closed.
 */
export function sendLastBodiless(
  res: HttpResponse,
  head: string,
  isThere: () => boolean,
  sent: () => void,
): void {
  setImmediate(() => {
    if (!isThere()) return;
    res.cork(() => res.writeStatus(`${head}\r\nconnection: close\r\n`));
    sent();
    res.close();
  });
}
