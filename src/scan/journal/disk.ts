/**
 * What the journal needs of a file system; handed in, so that a test can tear writes and fill the disk. Writes are
 * synchronous: the answers of a turn wait for theirs anyway, and so no other turn comes in between.
 */
import {
  closeSync,
  fdatasync,
  fsync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { ownerFileMode, ownerFolderMode } from "../../runtime/owner-only.ts";

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
}

export const realDisk: JournalDisk = {
  makeDirectory: (path) => {
    mkdirSync(path, { recursive: true, mode: ownerFolderMode });
  },
  list: (path) => readdirSync(path),
  read: (path) => readFileSync(path),
  open(path) {
    try {
      return openSync(path, "r+");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return openSync(path, "wx+", ownerFileMode);
    }
  },
  write: (file, bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
  sync: (file, done) => fdatasync(file, done),
  syncDirectory(path, done) {
    open(path, "r", (failure, directory) => {
      if (failure !== null) return done(failure);
      fsync(directory, (error) => {
        closeSync(directory);
        done(error);
      });
    });
  },
  rename: (from, to) => renameSync(from, to),
  remove: (path) => unlinkSync(path),
  close: (file) => closeSync(file),
};
