/**
 * What the journal needs of a file system; handed in, so that a test can tear writes and fill the disk. Writes are
 * synchronous: the answers of a turn wait for theirs anyway, and so no other turn comes in between.
 */
import * as fs from "node:fs";
import { ownerFileMode, ownerFolderMode } from "../../runtime/owner-only.ts";
import { type LastingMemory, openLastingMemory } from "./lasting-memory.ts";

export interface JournalDisk {
  makeDirectory(path: string): void;
  list(path: string): string[];
  read(path: string): Uint8Array;
  /** For writing, made when it is not there, never truncated. */
  open(path: string): number;
  /** How many bytes were taken: fewer than given when the disk is full. */
  write(file: number, bytes: Uint8Array, position: number): number;
  /** Content of the file to the medium. */
  sync(file: number, done: (error: Error | null) => void): void;
  /** Names in the directory to the medium. */
  syncDirectory(path: string, done: (error: Error | null) => void): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  close(file: number): void;
  /** Null where there is none. */
  openLastingMemory(path: string, bytes: number): LastingMemory | null;
}

export const realDisk: JournalDisk = {
  makeDirectory: (path) => {
    fs.mkdirSync(path, { recursive: true, mode: ownerFolderMode });
  },
  list: (path) => fs.readdirSync(path),
  read: (path) => fs.readFileSync(path),
  open(path) {
    try {
      return fs.openSync(path, "r+");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return fs.openSync(path, "wx+", ownerFileMode);
    }
  },
  write: (file, bytes, position) => fs.writeSync(file, bytes, 0, bytes.length, position),
  sync: (file, done) => fs.fdatasync(file, done),
  syncDirectory(path, done) {
    fs.open(path, "r", (failure, directory) => {
      if (failure !== null) return done(failure);
      fs.fsync(directory, (error) => {
        fs.closeSync(directory);
        done(error);
      });
    });
  },
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  close: (file) => fs.closeSync(file),
  openLastingMemory,
};
