/**
 * One process at a time in a data folder: two would write the same journal, and on the embedded store both would
 * believe that they own the accounts.
 *
 * Every process listens on a socket of its own in the folder `in-use`, and asks all others there who they are. A
 * socket goes with its process, however that ends; what a dead one leaves is a name that nobody answers at, and
 * since names are never used twice it can be cleared away by anybody. Of several that start at once the one with
 * the first name waits for the others, which give way. A file with a process number could not be trusted: numbers
 * are used again, and in a container always the same ones.
 */

import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { folderAnswerMsMax, folderLookMs } from "../limits.ts";
import { ownerFolderMode } from "../runtime/owner-only.ts";

/** One line for whoever named the folder. */
export class UnusableFolder extends Error {
  override name = "UnusableFolder";
}

export class FolderInUse extends UnusableFolder {
  override name = "FolderInUse";
}

/** No operating system of ours takes a longer path for a socket. */
const socketPathBytesMax = 103;
const nameRandomBytes = 8;
const nameLength = `/${"00".repeat(nameRandomBytes)}.sock`.length;

/** Makes the folder when it is not there. Resolves with the function that lets it go. */
export async function takeDataFolder(folder: string): Promise<() => Promise<void>> {
  try {
    makeFolder(resolve(folder));
  } catch (cause) {
    throw new UnusableFolder(`the data folder ${folder} cannot be made: ${(cause as Error).message}`);
  }
  const name = `${randomBytes(nameRandomBytes).toString("hex")}.sock`;
  let state: "starting" | "held" = "starting";
  const own = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(state);
  });
  const sockets = await listenFor(folder, own, name);
  own.unref();
  const giveBack = async () => {
    await new Promise<void>((resolve) => own.close(() => resolve()));
    removeEmpty(sockets);
  };
  for (;;) {
    const others = readdirSync(sockets).filter((other) => other.endsWith(".sock") && other !== name);
    const states = await Promise.all(others.map((other) => stateOf(join(sockets, other))));
    const starting = others.filter((_, n) => states[n] === "starting");
    const isClear = states.every((state) => state === "gone");
    if (states.includes("held") || starting.some((other) => other < name)) {
      await giveBack();
      throw new FolderInUse(`${folder} is in use by another qrelay process; give each its own DATA_DIR`);
    }
    if (isClear) break;
    await pause(folderLookMs);
  }
  state = "held";
  return giveBack;
}

/** Step by step: asked for all of a path in `/proc`, where nobody makes folders, Node tries for ever. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: ownerFolderMode });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === "EEXIST" && statSync(folder).isDirectory();
    if (!isThere) throw cause;
  }
}

/** In the folder itself; where that has too long a path, or cannot hold sockets, under a name made of it. */
async function listenFor(folder: string, server: Server, name: string): Promise<string> {
  const near = join(realpathSync(folder), "in-use");
  const hash = createHash("sha256").update(near).digest("hex").slice(0, 16);
  const far = join(tmpdir(), `qrelay-${hash}`);
  if (Buffer.byteLength(near) + nameLength <= socketPathBytesMax) {
    const isListening = await listen(server, near, name).then(
      () => true,
      () => false,
    );
    if (isListening) return near;
    removeEmpty(near);
  }
  await listen(server, far, name);
  return far;
}

async function listen(server: Server, folder: string, name: string): Promise<void> {
  const once = () => {
    mkdirSync(folder, { recursive: true, mode: ownerFolderMode });
    return new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(join(folder, name), () => resolve());
    });
  };
  // The one who goes may have removed the folder in between.
  await once().catch((cause: NodeJS.ErrnoException) =>
    cause.code === "ENOENT" ? once() : Promise.reject(cause),
  );
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else is in it.
  }
}

/** Whoever takes the call and says nothing is paused or busy, and may go on at any time. */
function stateOf(path: string): Promise<"starting" | "held" | "going" | "gone"> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(path);
    socket.setTimeout(folderAnswerMsMax, () => {
      socket.destroy();
      resolve("held");
    });
    socket.on("data", (text) => {
      said += text;
    });
    socket.once("end", () => resolve(said === "starting" || said === "held" ? said : "going"));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") rmSync(path, { force: true });
      resolve(code === "ECONNREFUSED" || code === "ENOENT" ? "gone" : "going");
    });
  });
}
