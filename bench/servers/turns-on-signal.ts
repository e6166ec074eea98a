/**
 * Loaded before a server whose event loop is watched: it tells the longest turn since it was last asked, in milliseconds.
 * SIGALRM puts its clock forward by more than it ever rests between two savings of counts, so that none is waited for.
 *
 * Counted is what the thread itself ran. By the clock, a turn in which other programs had the core would be long too,
 * and nothing in the server could shorten it. No turn holds anybody up for longer than it took, whatever a host that stops
 * for a moment does to one of the two.
 */
import { tellOnSignal } from "./tell-on-signal.ts";
import { ranMs } from "./thread-clock.ts";

let ranBefore = ranMs();
let before = performance.now();
let longest = 0;

function turn(): void {
  const ran = ranMs();
  const now = performance.now();
  longest = Math.max(longest, Math.min(ran - ranBefore, now - before));
  ranBefore = ran;
  before = now;
  setImmediate(turn).unref();
}
setImmediate(turn).unref();

tellOnSignal(() => {
  const told = longest;
  longest = 0;
  return told;
});

const { now: realNow } = Date;
const forwardStepMs = 6 * 60_000;
let forwardMs = 0;
Date.now = () => realNow() + forwardMs;
process.on("SIGALRM", () => {
  forwardMs += forwardStepMs;
});
