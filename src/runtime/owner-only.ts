/**
 * A data folder is nobody's business but its owner's: it holds the admin token, hashes of keys and every target.
 * Whatever the service makes there it makes with these rights, whatever the process' mask is.
 */
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const ownerFolderMode = 0o700;
export const ownerFileMode = 0o600;

const modeBits = 0o777;
/** Set on folders that are shared on purpose, like that of temporary files. */
const stickyBit = 0o1000;

/** What the service makes in a data folder. Anything else there is somebody else's. */
const partNames = ["admin-token", "store", "journal", "in-use"];

export interface Tightened {
  /** Paths that others had rights to until now. */
  closed: string[];
  /** Paths that could not be closed. */
  open: string[];
}

/** Earlier versions left data folders readable for everybody. */
export function keepToOwner(folder: string): Tightened {
  const tightened: Tightened = { closed: [], open: [] };
  if (process.platform === "win32") return tightened;
  tighten(folder, tightened);
  for (const part of partNames) {
    const path = join(folder, part);
    if (tighten(path, tightened) !== "folder") continue;
    for (const name of readdirSync(path)) tighten(join(path, name), tightened);
  }
  return tightened;
}

function tighten(path: string, { closed, open }: Tightened): "folder" | "other" {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "other";
  const kind = stat.isDirectory() ? "folder" : "other";
  const wanted = kind === "folder" ? ownerFolderMode : ownerFileMode;
  const isOurs = kind === "folder" || stat.isFile();
  if (!isOurs || (stat.mode & modeBits & ~wanted) === 0) return kind;
  try {
    if ((stat.mode & stickyBit) !== 0) throw new Error("shared on purpose");
    chmodSync(path, stat.mode & modeBits & wanted);
    closed.push(path);
  } catch {
    open.push(path);
  }
  return kind;
}
