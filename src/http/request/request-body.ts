/**
 * The body of a request, kept as it comes.
 *
 * Nothing is set aside for what a client only announces: memory follows the bytes that have come, and doubles
 * when they do not fit. A body that comes in one part, as most do, is copied once, at its size.
 *
 * Of a body in chunks the end is only known when it is there. uWebSockets.js goes on parsing behind it, and is
 * more lenient about chunks than the rules are (`g` and `;` pass for digits, a line feed ends a line, nobody
 * looks whether a chunk ends where it said). So the body is over in the next turn only: while an answer is due,
 * whatever follows on the connection ends it, and behind the answer `Door` closes the connection.
 */
import type { HttpResponse } from "../../engine/engine.ts";
import { bodyBytesMax, firstBodyBytes } from "../../limits.ts";
import { chunked } from "./framing.ts";

export type Body = { bytes: Uint8Array } | "too large";

const nothing = new Uint8Array();

/** `done` is called once, unless the client goes first. */
export function collectBody(res: HttpResponse, length: number, done: (body: Body) => void): void {
  if (length > bodyBytesMax) {
    // Not kept, and its reading not waited for.
    res.onData(() => {});
    done("too large");
    return;
  }
  const isChunked = length === chunked;
  const bytesMax = isChunked ? bodyBytesMax : length;
  const finish = isChunked ? (body: Body) => void setImmediate(done, body) : done;
  let kept = nothing;
  let at = 0;
  let isOver = false;
  res.onData((chunk, isLast) => {
    if (isOver) return;
    const end = at + chunk.byteLength;
    if (end > bytesMax) {
      isOver = true;
      kept = nothing;
      finish("too large");
      return;
    }
    if (isLast && at === 0) {
      isOver = true;
      finish({ bytes: Buffer.from(new Uint8Array(chunk)) });
      return;
    }
    if (end > kept.length) kept = grown(kept, at, isLast ? end : roomFor(end, bytesMax));
    kept.set(new Uint8Array(chunk), at);
    at = end;
    if (!isLast) return;
    isOver = true;
    finish({ bytes: kept.subarray(0, at) });
  });
}

function roomFor(bytes: number, bytesMax: number): number {
  let room = firstBodyBytes;
  while (room < bytes) room *= 2;
  return Math.min(room, bytesMax);
}

function grown(kept: Uint8Array<ArrayBuffer>, used: number, bytes: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes);
  larger.set(kept.subarray(0, used));
  return larger;
}
