/**
 * The disk under the scan journal, with what a disk does to those who trust it: it is full, it fails to sync, it
 * tears a write, and at a power cut it forgets what was not synced, name by name and write by write.
 *
 * A file keeps what is in it and which of its writes no sync has carried yet; the directory keeps its names the
 * same way. A killed process loses nothing of either. A power cut keeps a prefix of the unsynced changes of names
 * (file systems keep those in order) and any part of the unsynced writes. Of memory that lasts it keeps any word or
 * forgets it; whoever is killed leaves it as it is at that moment.
 */
import type { JournalDisk } from "../../../src/scan/journal/disk.ts";
import type { Faults } from "../faults.ts";
import type { Seeded } from "../seeded-random.ts";
import type { VirtualLoop } from "../virtual-loop.ts";

interface UnsyncedWrite {
  position: number;
  bytes: Uint8Array;
}

interface File {
  content: Uint8Array;
  durable: Uint8Array;
  unsynced: UnsyncedWrite[];
}

type Names = Map<string, File>;

export class SimulatedDisk {
  readonly #loop: VirtualLoop;
  readonly #random: Seeded;
  #names: Names = new Map();
  #durableNames: Names = new Map();
  #unsyncedNames: ((names: Names) => void)[] = [];
  /** Files that are memory of the process that runs. */
  readonly #memories = new Map<File, Uint32Array>();

  constructor(loop: VirtualLoop, random: Seeded) {
    this.#loop = loop;
    this.#random = random;
  }

  /** Whatever the process still does, its memory is as it is now. */
  killed(): void {
    for (const [file, words] of this.#memories) file.content = bytesOf(words);
    this.#memories.clear();
  }

  powerCut(): void {
    for (const [file, words] of this.#memories) {
      const old = wordsOf(file.durable);
      file.durable = bytesOf(words.map((word, at) => (this.#random.chance(0.5) ? word : (old[at] ?? 0))));
    }
    this.#memories.clear();
    const kept = this.#random.between(0, this.#unsyncedNames.length);
    for (const change of this.#unsyncedNames.slice(0, kept)) change(this.#durableNames);
    this.#unsyncedNames = [];
    this.#names = new Map(this.#durableNames);
    for (const file of new Set(this.#names.values())) this.#forgetUnsynced(file);
  }

  #forgetUnsynced(file: File): void {
    for (const { position, bytes } of file.unsynced) {
      const fate = this.#random.below(3);
      if (fate === 0) file.durable = written(file.durable, position, bytes);
      if (fate === 1) {
        file.durable = written(file.durable, position, bytes.subarray(0, this.#random.below(bytes.length)));
      }
    }
    file.unsynced = [];
    file.content = file.durable;
  }

  /** The disk as one process sees it; a dead process changes nothing any more. */
  openFor(process: { readonly isAlive: boolean; effect(what: string): void }, faults: Faults): JournalDisk {
    const open = new Map<number, File>();
    let nextFile = 3;
    const fileOf = (file: number): File => {
      const found = open.get(file);
      if (found === undefined) throw new Error(`EBADF: ${file}`);
      return found;
    };
    const rename = (change: (names: Names) => void) => {
      process.effect("disk names");
      if (!process.isAlive) return;
      change(this.#names);
      this.#unsyncedNames.push(change);
    };
    const syncLater = (carry: () => () => void, done: (error: Error | null) => void) => {
      const carried = carry();
      this.#loop.after(faults.syncMs(), () => {
        if (!process.isAlive) return;
        process.effect("disk sync");
        if (!process.isAlive) return;
        if (faults.syncFails()) {
          done(new Error("EIO: i/o error"));
          return;
        }
        carried();
        done(null);
      });
    };
    return {
      makeDirectory() {},
      list: (path) =>
        [...this.#names.keys()]
          .filter((name) => name.startsWith(`${path}/`))
          .map((name) => name.slice(path.length + 1)),
      read: (path) => {
        const file = this.#names.get(path);
        if (file === undefined) throw new Error(`ENOENT: ${path}`);
        return file.content;
      },
      open: (path) => {
        if (!this.#names.has(path)) {
          if (faults.diskIsFull()) throw new Error("ENOSPC: no space left on device");
          const made: File = { content: empty, durable: empty, unsynced: [] };
          rename((names) => names.set(path, made));
        }
        const file = nextFile++;
        open.set(file, this.#names.get(path) ?? { content: empty, durable: empty, unsynced: [] });
        return file;
      },
      write: (file, bytes, position) => {
        const { content, unsynced } = fileOf(file);
        process.effect("disk write");
        if (!process.isAlive) return bytes.length;
        let taken = bytes.length;
        if (faults.diskIsFull()) taken = this.#random.below(bytes.length);
        if (taken === 0) throw new Error("ENOSPC: no space left on device");
        const copy = bytes.slice(0, taken);
        fileOf(file).content = written(content, position, copy);
        unsynced.push({ position, bytes: copy });
        return taken;
      },
      sync: (number, done) => {
        const file = fileOf(number);
        syncLater(() => {
          const carried = file.unsynced.length;
          return () => {
            for (const { position, bytes } of file.unsynced.splice(0, carried)) {
              file.durable = written(file.durable, position, bytes);
            }
          };
        }, done);
      },
      syncDirectory: (_path, done) => {
        syncLater(() => {
          const carried = this.#unsyncedNames.length;
          return () => {
            for (const change of this.#unsyncedNames.splice(0, carried)) change(this.#durableNames);
          };
        }, done);
      },
      rename: (from, to) => {
        rename((names) => {
          const file = names.get(from);
          if (file === undefined) return;
          names.delete(from);
          names.set(to, file);
        });
      },
      remove: (path) => rename((names) => names.delete(path)),
      close: (file) => {
        fileOf(file);
        open.delete(file);
      },
      openLastingMemory: (path, bytes) => {
        if (faults.diskIsFull()) return null;
        const words = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT);
        const file: File = { content: bytesOf(words), durable: empty, unsynced: [] };
        rename((names) => names.set(path, file));
        if (process.isAlive) this.#memories.set(file, words);
        return {
          words,
          close: () => {
            if (this.#memories.get(file) !== words) return;
            file.content = bytesOf(words);
            this.#memories.delete(file);
          },
        };
      },
    };
  }
}

const empty = new Uint8Array(0);

const wordsOf = (bytes: Uint8Array) => new Uint32Array(bytes.slice().buffer);
const bytesOf = (words: Uint32Array) => new Uint8Array(words.slice().buffer);

function written(old: Uint8Array, position: number, bytes: Uint8Array): Uint8Array {
  const content = new Uint8Array(Math.max(old.length, position + bytes.length));
  content.set(old);
  content.set(bytes, position);
  return content;
}
