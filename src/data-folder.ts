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
import { mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export class FolderInUse extends Error {
  override name = "FolderInUse";
}

/** The operating system takes no longer name for a socket. */
const socketPathBytesMax = 100;
const answerMsMax = 1_000;
const lookEveryMs = 10;

/** Makes the folder when it is not there. Gives the function that gives it back. */
export async function takeDataFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const sockets = socketFolder(folder);
  const name = `${randomBytes(8).toString("hex")}.sock`;
  let state: "starting" | "held" = "starting";
  const own = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(state);
  });
  await listen(own, join(sockets, name));
  own.unref();
  const giveBack = () => new Promise<void>((resolve) => own.close(() => resolve()));
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
    await pause(lookEveryMs);
  }
  state = "held";
  return giveBack;
}

function socketFolder(folder: string): string {
  const near = join(realpathSync(folder), "in-use");
  const isShort = Buffer.byteLength(near) + 30 <= socketPathBytesMax;
  const hash = createHash("sha256").update(near).digest("hex").slice(0, 16);
  const path = isShort ? near : join(tmpdir(), `qrelay-${hash}`);
  mkdirSync(path, { recursive: true });
  return path;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve());
  });
}

/** Whoever takes the call and says nothing is paused or busy, and may go on at any time. */
function stateOf(path: string): Promise<"starting" | "held" | "going" | "gone"> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(path);
    socket.setTimeout(answerMsMax, () => {
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
