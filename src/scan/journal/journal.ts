/**
 * The scan journal as files: one frame a loop turn, one write a frame, segments of bounded size. Scans that need
 * not wait for that write are put down beforehand where they outlive the process (`unwritten-scans.ts`), and are written
 * some turns later.
 *
 * Every write goes to an explicit position, and the position moves only when all of it was taken. A write
 * that a full disk cut short is thus written over by the next one, and the journal is healthy again as soon
 * as a write succeeds; there is no state to repair. A segment that a checkpoint has made superfluous is kept
 * to be written over rather than deleted: overwriting spares the file system the allocation, which makes
 * the sync cheaper.
 *
 * Syncs run beside the loop and are shared. One at a time is under way; whoever asks meanwhile waits for
 * the next, because only a sync that began after a write is sure to carry it.
 */
import { join } from "node:path";
import type { SlugKey } from "../../link/slug.ts";
import type { JournalDisk } from "./disk.ts";
import { Frame, type OnRecord, type Replay, readFrames } from "./frame.ts";
import { RefusedScans } from "./refused-scans.ts";
import {
  openUnwrittenScans,
  readUnwritten,
  type UnwrittenScan,
  type UnwrittenScans,
} from "./unwritten-scans.ts";

export interface JournalOptions {
  disk: JournalDisk;
  directory: string;
  /** Of this ownership of the accounts, 0 where no other can follow. Names the segments. */
  epoch: number;
  /** Scans of one turn that are appended. */
  recordsMax: number;
  /** Scans that are put down between two writes; 0 where all have to wait for one. */
  putDownMax: number;
  segmentBytesMax: number;
  /** All segments that no checkpoint has covered. */
  journalBytesMax: number;
  sparesMax: number;
  /** Whether scans of the link are counted no more when they cannot be written. */
  isTakenBack(key: SlugKey): boolean;
}

export interface FoundSegment {
  path: string;
  replay: Replay;
}

const segmentName = /^scans-(\d{8})(?:-epoch-(\d+))?\.journal$/;
const spareName = /^spare-(\d{8})\.journal$/;
const nameOf = (segment: number, epoch: number) =>
  `scans-${padded(segment)}${epoch === 0 ? "" : `-epoch-${epoch}`}.journal`;
const unwrittenName = "unwritten";
const spareNameOf = (segment: number) => `spare-${padded(segment)}.journal`;

/** Segments of an earlier process, oldest first; `recordOf` hands out who sees the scans of an epoch. */
export function replayJournal(
  disk: JournalDisk,
  directory: string,
  recordOf: (epoch: number) => OnRecord,
): FoundSegment[] {
  disk.makeDirectory(directory);
  const found = disk.list(directory).filter((name) => segmentName.test(name));
  return found.sort().map((name) => {
    const path = join(directory, name);
    const [, segment, epoch = 0] = segmentName.exec(name)!;
    return { path, replay: readFrames(disk.read(path), Number(segment), recordOf(Number(epoch))) };
  });
}

/** What an earlier process had put down; the newest of it may be in no segment. */
export function replayUnwritten(disk: JournalDisk, directory: string): UnwrittenScan[] {
  if (!disk.list(directory).includes(unwrittenName)) return [];
  return readUnwritten(disk.read(join(directory, unwrittenName)));
}

export function removeUnwritten(disk: JournalDisk, directory: string): void {
  if (disk.list(directory).includes(unwrittenName)) disk.remove(join(directory, unwrittenName));
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #disk: JournalDisk;
  readonly #frame: Frame;
  readonly #spares: string[];
  /** Full or rotated segments that still hold the only copy of some count. */
  #older: { segment: number; bytes: number }[] = [];
  readonly #unwritten: UnwrittenScans | null;
  readonly #refused = new RefusedScans();
  #hour = 0;
  #pending = 0;
  #segment: number;
  #file: number;
  #position = 0;
  #bytes = 0;
  #writeProblem: string | null = null;
  #syncProblem: string | null = null;

  /** Files with content that no sync has carried yet; all but the current one are closed after it. */
  #unsynced = new Set<number>();
  #namesUnsynced = true;
  #syncing = false;
  #waiting: ((error: Error | null) => void)[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#disk = options.disk;
    this.#frame = new Frame(options.recordsMax + options.putDownMax);
    options.disk.makeDirectory(options.directory);
    const names = options.disk.list(options.directory);
    this.#spares = names.filter((name) => spareName.test(name));
    // Above every number that a frame in a spare can bear, or its old content would be taken for new.
    this.#segment = Math.max(0, ...names.map(numberOf)) + 1;
    this.#file = this.#openSegment(this.#segment);
    const { disk, directory, putDownMax } = options;
    const path = join(directory, unwrittenName);
    this.#unwritten = putDownMax === 0 ? null : openUnwrittenScans(disk, path, putDownMax);
  }

  /** Bytes that a restart would have to replay. */
  get bytes(): number {
    return this.#bytes;
  }

  get segment(): number {
    return this.#segment;
  }

  /** Scans of this turn that wait to be written. */
  get pending(): number {
    return this.#pending;
  }

  /** How many scans of a turn may be appended. */
  get recordsMax(): number {
    return this.#options.recordsMax;
  }

  health(): string | null {
    return this.#writeProblem ?? this.#syncProblem;
  }

  /** Of all scans from now on, in hours since the epoch. */
  set hour(hour: number) {
    if (hour === this.#hour) return;
    if (this.hasPutDown || this.#pending > 0) this.commit();
    this.#hour = hour;
    if (this.#unwritten !== null) this.#unwritten.hour = hour;
  }

  /** At most `recordsMax` times a turn. */
  append(key: SlugKey, count: number, visitor: number): void {
    this.#pending++;
    this.#unwritten?.moveTo(this.#frame);
    this.#frame.append(key, count, visitor);
  }

  /** Whether one more scan can be put down. */
  get hasRoom(): boolean {
    return this.#unwritten !== null && !this.#unwritten.isFull;
  }

  /** Should the process end now, the scan is not lost: it need not wait for `commit`. */
  putDown(key: SlugKey, count: number, visitor: number): void {
    this.#unwritten!.put(key, count, visitor);
  }

  /** Whether what was put down should be written soon. */
  get isDue(): boolean {
    return this.#unwritten?.isHalfFull === true;
  }

  get hasPutDown(): boolean {
    return this.#unwritten?.isEmpty === false;
  }

  /** Writes all scans that are not written yet, those that were refused before them. False when this turn's are not. */
  commit(): boolean {
    this.#unwritten?.moveTo(this.#frame);
    try {
      for (let refused = this.#refused.first; refused !== undefined; refused = this.#refused.first) {
        this.#write(refused.frame, refused.hour);
        this.#refused.written();
      }
      this.#write(this.#frame, this.#hour);
      this.#writeProblem = null;
      return true;
    } catch (error) {
      this.#writeProblem = `The scan journal cannot be written: ${(error as Error).message}`;
      this.#refused.keep(this.#frame, this.#hour, this.#options.isTakenBack);
      return false;
    } finally {
      this.forget();
    }
  }

  #write(frame: Frame, hour: number): void {
    const { segmentBytesMax, journalBytesMax } = this.#options;
    const length = frame.byteLength;
    if (this.#bytes + length > journalBytesMax) {
      throw new Error("the journal is full because no checkpoint reaches the store");
    }
    if (this.#position > 0 && this.#position + length > segmentBytesMax) this.rotate();
    const taken = this.#disk.write(this.#file, frame.seal(this.#segment, hour), this.#position);
    if (taken !== length) throw new Error("the disk is full");
    this.#position += length;
    this.#bytes += length;
    this.#unsynced.add(this.#file);
  }

  /** Lets go of the scans that are not written. */
  forget(): void {
    this.#pending = 0;
    this.#frame.clear();
    this.#unwritten?.clear();
  }

  /** Begins a new segment and returns its number: all that was committed is in segments below it. */
  rotate(): number {
    if (this.#position === 0) return this.#segment;
    const file = this.#openSegment(this.#segment + 1);
    this.#older.push({ segment: this.#segment, bytes: this.#position });
    this.#retire(this.#file);
    this.#segment += 1;
    this.#file = file;
    this.#position = 0;
    this.#namesUnsynced = true;
    return this.#segment;
  }

  /** The store has everything below this segment. */
  drop(below: number): void {
    const gone = this.#older.filter(({ segment }) => segment < below);
    this.#older = this.#older.filter(({ segment }) => segment >= below);
    for (const { segment, bytes } of gone) {
      this.#bytes -= bytes;
      const path = join(this.#options.directory, nameOf(segment, this.#options.epoch));
      if (this.#spares.length < this.#options.sparesMax) {
        const spare = spareNameOf(segment);
        this.#disk.rename(path, join(this.#options.directory, spare));
        this.#spares.push(spare);
      } else {
        this.#disk.remove(path);
      }
    }
  }

  get hasUnsynced(): boolean {
    return this.#unsynced.size > 0;
  }

  /** `done` runs when all that is committed now is on the medium, or with what went wrong. */
  sync(done: (error: Error | null) => void): void {
    this.#waiting.push(done);
    if (!this.#syncing) this.#startSync();
  }

  #startSync(): void {
    this.#syncing = true;
    const waiting = this.#waiting;
    const files = [...this.#unsynced];
    const names = this.#namesUnsynced;
    this.#waiting = [];
    this.#unsynced = new Set();
    this.#namesUnsynced = false;
    let awaited = files.length + (names ? 1 : 0);
    let failure: Error | null = null;
    const finish = () => {
      this.#syncing = false;
      if (failure !== null) this.#namesUnsynced ||= names;
      this.#syncProblem = failure && `The scan journal cannot be synced: ${failure.message}`;
      for (const done of waiting) done(failure);
      if (this.#waiting.length > 0 && !this.#syncing) this.#startSync();
    };
    const one = (error: Error | null) => {
      failure ??= error;
      awaited -= 1;
      if (awaited === 0) finish();
    };
    if (awaited === 0) {
      finish();
      return;
    }
    if (names) this.#disk.syncDirectory(this.#options.directory, one);
    for (const file of files) {
      this.#disk.sync(file, (error) => {
        if (file !== this.#file && !this.#unsynced.has(file)) this.#disk.close(file);
        one(error);
      });
    }
  }

  /** When nothing more is appended or synced. */
  close(): Promise<void> {
    if (this.hasPutDown || this.#refused.first !== undefined) this.commit();
    return new Promise((resolve) => {
      this.sync(() => {
        // If not all was written, what could be put down is still of use.
        this.#unwritten?.close(this.#writeProblem === null);
        this.#disk.close(this.#file);
        resolve();
      });
    });
  }

  /** A file that is written no more is closed by the sync that carries its last content. */
  #retire(file: number): void {
    if (!this.#unsynced.has(file) && !this.#syncing) this.#disk.close(file);
    else this.#unsynced.add(file);
  }

  #openSegment(segment: number): number {
    const path = join(this.#options.directory, nameOf(segment, this.#options.epoch));
    const spare = this.#spares.pop();
    if (spare !== undefined) this.#disk.rename(join(this.#options.directory, spare), path);
    return this.#disk.open(path);
  }
}

function padded(segment: number): string {
  return String(segment).padStart(8, "0");
}

function numberOf(name: string): number {
  return Number((spareName.exec(name) ?? segmentName.exec(name))?.[1] ?? 0);
}
