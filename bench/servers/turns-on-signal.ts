/**
 * Loaded before a server whose event loop is watched: it tells the longest turn since it was last asked, in milliseconds.
 * SIGALRM puts its clock forward by more than it ever rests between two savings of counts, so that none is waited for.
 *
 * Counted is what the thread itself ran. By the clock, a turn in which other programs had the core would be long too,
 * and nothing in the server could shorten it. The system writes that time down when a thread gives its core away, and
 * otherwise only at its ticks, some milliseconds apart; so the thread sleeps for the shortest time before it is asked.
 */
import { openSync, readSync } from "node:fs";
import { tellOnSignal } from "./tell-on-signal.ts";

const times = openSync("/proc/thread-self/schedstat", "r");
const text = Buffer.alloc(128);

const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const shortestMs = 0.001;

/** Milliseconds that the thread has run. */
function ranMs(): number {
  Atomics.wait(nobody, 0, 0, shortestMs);
  const bytes = readSync(times, text, 0, text.length, 0);
  return Number.parseInt(text.toString("latin1", 0, bytes), 10) / 1e6;
}

let before = ranMs();
let longest = 0;

function turn(): void {
  const now = ranMs();
  longest = Math.max(longest, now - before);
  before = now;
  setImmediate(turn).unref();
}
setImmediate(turn).unref();

tellOnSignal(() => {
  const told = longest;
  longest = 0;
  return told;
});

const { now } = Date;
const forwardStepMs = 6 * 60_000;
let forwardMs = 0;
Date.now = () => now() + forwardMs;
process.on("SIGALRM", () => {
  forwardMs += forwardStepMs;
});
