/**
 * Loaded before a server whose event loop is watched: SIGUSR2 writes the longest turn since the last signal, in
 * milliseconds, to the file of BENCH_TURNS_FILE. SIGALRM puts its clock forward by a minute, so that what it does
 * twice a minute need not be waited for.
 *
 * Counted is what the thread itself ran. By the clock, a turn in which other programs had the core would be long too,
 * and nothing in the server could shorten it.
 */
import { openSync, readSync, renameSync, writeFileSync } from "node:fs";

const file = process.env.BENCH_TURNS_FILE!;
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

process.on("SIGUSR2", () => {
  writeFileSync(`${file}.new`, String(longest));
  renameSync(`${file}.new`, file);
  longest = 0;
});

const { now } = Date;
let forwardMs = 0;
Date.now = () => now() + forwardMs;
process.on("SIGALRM", () => {
  forwardMs += 60_000;
});
