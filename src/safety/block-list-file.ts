import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type BlockList,
  emptyBlockList,
  parseBlockList,
  parseBlockListInSteps,
} from "../domain/target/block-list.ts";
import { blockListPollMs, loopHoldMsMax } from "../limits.ts";
import type { Log } from "../runtime/log.ts";

export interface BlockListFile {
  readonly current: BlockList;
  /** Reads the file again whenever it changes, and then calls `onChange`. */
  watch(onChange: () => void): void;
  close(): void;
}

/** A file that is wrong at the start stops the start; one that goes wrong later leaves the last good list in force. */
export function openBlockList(path: string | null, log: Log): BlockListFile {
  if (path === null) return { current: emptyBlockList, watch() {}, close() {} };
  let current = parseBlockList(readFileSync(path, "utf8"));
  let readings = 0;
  return {
    get current() {
      return current;
    },
    watch(onChange) {
      watchFile(path, { interval: blockListPollMs, persistent: false }, async () => {
        const reading = ++readings;
        try {
          const list = await parseGently(await readFile(path, "utf8"));
          if (reading !== readings) return;
          current = list;
        } catch (cause) {
          log.error({ err: cause }, "the block list was not taken over; the last good one stays in force");
          return;
        }
        log.info({ entries: current.size }, "block list read again");
        onChange();
      });
    },
    close: () => unwatchFile(path),
  };
}

/** A list of a million hosts takes a second to parse; requests are served in between. */
async function parseGently(text: string): Promise<BlockList> {
  const steps = parseBlockListInSteps(text);
  for (let began = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began > loopHoldMsMax) {
      await nextTurn();
      began = performance.now();
    }
  }
}
