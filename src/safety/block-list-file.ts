import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { type BlockList, emptyBlockList, parseBlockList } from "../domain/block-list.ts";
import { blockListPollMs } from "../limits.ts";
import type { Log } from "../log.ts";

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
  return {
    get current() {
      return current;
    },
    watch(onChange) {
      watchFile(path, { interval: blockListPollMs, persistent: false }, () => {
        try {
          current = parseBlockList(readFileSync(path, "utf8"));
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
