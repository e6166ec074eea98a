/**
 * Loaded before a server whose event loop is watched: it tells the longest turn since it was last asked, in milliseconds.
 * SIGALRM puts its clock forward by a minute, so that what it does twice a minute need not be waited for.
 *
 * Counted is what the thread itself ran. By the clock, a turn in which other programs had the core would be long too,
 * and nothing in the server could shorten it.
 */
import { openSync, readSync } from "node:fs";
import { tellOnSignal } from "./tell-on-signal.ts";

const times = openSync("/proc/thread-self/schedstat", "r");
const text = Buffer.alloc(128);

/** Milliseconds that the thread has run. */
function ranMs(): number {
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
let forwardMs = 0;
Date.now = () => now() + forwardMs;
process.on("SIGALRM", () => {
  forwardMs += 60_000;
});
