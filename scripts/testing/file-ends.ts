/**
 * Loaded before each test file. One that does not end fails and says what it has open, instead of holding up all others: it
 * goes with its process, so what the file started ends as it does with any other exit. And one that failed says so, with
 * what the machine was like.
 */
import { after } from "node:test";
import { isMainThread } from "node:worker_threads";
import { ticks } from "../taken-time.ts";
import { failureText } from "./failures.ts";

/** The longest file takes a third of it on a slow machine. */
const fileMsMax = 900_000;
const endMsMax = Number(process.env.TEST_END_MS || 60_000);

// Threads of a file load what their process was started with.
if (isMainThread) {
  const began = ticks();
  process.once("exit", (code) => {
    if (code !== 0) console.error(failureText(process.argv[1]!, began));
  });
  giveUpAfter(fileMsMax, "it takes too long");
  after(() => giveUpAfter(endMsMax, "its tests are over, and it does not end"));
}

function giveUpAfter(ms: number, why: string): void {
  const giveUp = () => {
    const open = process.getActiveResourcesInfo().join(", ");
    console.error(`gave this test file up after ${ms / 1000} s: ${why}. Open: ${open}`);
    process.exit(1);
  };
  setTimeout(giveUp, ms).unref();
}
