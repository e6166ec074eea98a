import type { JournalDisk } from "../../src/scan/journal/disk.ts";
import type { LastingMemory } from "../../src/scan/journal/lasting-memory.ts";

/** A file system in memory that can be full, fail, and be looked into. */
export class MemoryDisk implements JournalDisk {
  readonly files = new Map<string, Uint8Array>();
  /** Bytes that may still be written before the disk is full. Overwriting counts too: it is simpler. */
  freeBytes = Number.POSITIVE_INFINITY;
  failsSyncs = false;
  writes = 0;
  syncs = 0;
  /** Syncs wait here until the test lets them go; null lets them go at once. */
  heldSyncs: (() => void)[] | null = null;
  readonly #open = new Map<number, string>();
  #nextFile = 3;

  get openFiles(): number {
    return this.#open.size;
  }

  makeDirectory(): void {}

  list(path: string): string[] {
    return [...this.files.keys()]
      .filter((name) => name.startsWith(`${path}/`))
      .map((name) => name.slice(path.length + 1));
  }

  read(path: string): Uint8Array {
    const content = this.files.get(path);
    if (content === undefined) throw new Error(`ENOENT: ${path}`);
    return content.slice();
  }

  open(path: string): number {
    if (!this.files.has(path)) this.files.set(path, new Uint8Array(0));
    const file = this.#nextFile++;
    this.#open.set(file, path);
    return file;
  }

  write(file: number, bytes: Uint8Array, position: number): number {
    const path = this.#pathOf(file);
    this.writes++;
    const taken = Math.min(bytes.length, this.freeBytes);
    if (taken === 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    this.freeBytes -= taken;
    const old = this.files.get(path)!;
    const content = new Uint8Array(Math.max(old.length, position + taken));
    content.set(old);
    content.set(bytes.subarray(0, taken), position);
    this.files.set(path, content);
    return taken;
  }

  sync(file: number, done: (error: Error | null) => void): void {
    this.#pathOf(file);
    this.#syncLater(done);
  }

  syncDirectory(_path: string, done: (error: Error | null) => void): void {
    this.#syncLater(done);
  }

  #syncLater(done: (error: Error | null) => void): void {
    this.syncs++;
    const finish = () => done(this.failsSyncs ? new Error("EIO: i/o error") : null);
    if (this.heldSyncs === null) setImmediate(finish);
    else this.heldSyncs.push(finish);
  }

  rename(from: string, to: string): void {
    this.files.set(to, this.files.get(from)!);
    this.files.delete(from);
    for (const [file, path] of this.#open) if (path === from) this.#open.set(file, to);
  }

  remove(path: string): void {
    if (!this.files.delete(path)) throw new Error(`ENOENT: ${path}`);
  }

  close(file: number): void {
    this.#pathOf(file);
    this.#open.delete(file);
  }

  openLastingMemory(path: string, bytes: number): LastingMemory {
    const memory = new Uint8Array(bytes);
    this.files.set(path, memory);
    return { words: new Uint32Array(memory.buffer), close() {} };
  }

  #pathOf(file: number): string {
    const path = this.#open.get(file);
    if (path === undefined) throw new Error(`EBADF: ${file}`);
    return path;
  }
}
