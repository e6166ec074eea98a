/**
 * Memory that outlives the process: a small file that is mapped into it.
 *
 * A value stored there belongs to the system with the store instruction, without a call: `kill -9` takes nothing of it,
 * a power cut may. Node cannot map a file, but LMDB maps its own, for writing too if told so, and its addon hands out
 * the bytes of a value where they lie. So the file is a database with one value, which LMDB never writes again. It is
 * made anew at every opening: LMDB trusts what it opens, and a damaged file would end the process. Who wants to know what
 * a former process left reads the file as any other, before that.
 *
 * The file's blocks are written first. A store into a page that a full disk has no block for would end the process too.
 *
 * The way to those bytes is the addon's own, not one that the library documents. Whether they are the file's is
 * therefore tried at every opening: what is stored in them has to be read from the file. Where it is not (another
 * version, another system) there is no such memory, and scans wait for the journal.
 *
 * Rejected: a package that maps files, one more native module for every system, for a few pages.
 */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import * as lmdb from "lmdb";
import { ownerFileMode } from "../../runtime/owner-only.ts";

export interface LastingMemory {
  /** Zeroes at first. */
  readonly words: Uint32Array;
  /** Nothing of `words` may be used any more. */
  close(): void;
}

/** What the library has and its types leave out. */
interface Untyped {
  nativeAddon?: { getSharedByBinary?(database: number, keyLength: number): Buffer | undefined };
}
const { nativeAddon } = lmdb as Untyped;
const rights = { permissionsMode: ownerFileMode } as lmdb.RootDatabaseOptions;

/** The value's name; ASCII, so that its length is that of its bytes. */
const name = "memory";
/** In the value behind what is asked for, to be found again in the file. */
const proofBytes = 16;
/** What LMDB needs besides: a few pages, of the largest that a system has. */
const spareBytes = 8 * 65_536;

/** Null where there can be none. */
export function openLastingMemory(path: string, bytes: number): LastingMemory | null {
  try {
    for (const file of [path, `${path}-lock`]) rmSync(file, { force: true });
    return openNew(path, bytes);
  } catch {
    return null;
  }
}

function openNew(path: string, bytes: number): LastingMemory | null {
  const mapSize = bytes + spareBytes;
  const database = lmdb.open<Buffer, string>({
    ...{ ...rights, path, mapSize, useWritemap: true, noSubdir: true },
    ...{ encoding: "binary", cache: false, overlappingSync: false, eventTurnBatching: false },
  });
  const close = () => void database.close();
  try {
    takeBlocks(path);
    database.putSync(name, Buffer.alloc(bytes + proofBytes));
    // Looking for the name leaves it where the addon expects it.
    database.doesExist(name);
    const { dbAddress } = database as unknown as { dbAddress: number };
    const value = nativeAddon?.getSharedByBinary?.(dbAddress, name.length);
    if (value?.length === bytes + proofBytes && isOfFile(value.subarray(bytes), path)) {
      return { words: new Uint32Array(value.buffer, value.byteOffset, bytes / 4), close };
    }
  } catch {}
  close();
  return null;
}

/** Writes what is in the file, mostly nothing, over itself. */
function takeBlocks(path: string): void {
  const content = readFileSync(path);
  const file = openSync(path, "r+");
  try {
    if (writeSync(file, content, 0, content.length, 0) < content.length) throw new Error("the disk is full");
  } finally {
    closeSync(file);
  }
}

function isOfFile(proof: Buffer, path: string): boolean {
  const random = randomBytes(proofBytes);
  proof.set(random);
  return readFileSync(path).includes(random);
}
