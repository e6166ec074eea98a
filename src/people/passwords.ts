/**
 * Passwords: only what scrypt makes of them is stored, with what it was made with.
 *
 * Making it takes a quarter of a second and 32 MiB on purpose. It is done by the process's few threads for such
 * work, which others need too; so at most `passwordsAtOnceMax` are under way, whoever asks takes turns by address, and
 * what finds no room to wait is refused. Somebody who sends thousands of passwords waits for himself.
 *
 * A password for which there is nothing to compare it with is worked on all the same: how long an answer takes must
 * not tell whether there is such a user.
 */
import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { FairTurns } from "../account/fair-turns.ts";
import { passwordsAtOnceMax, passwordsWaitingMax } from "../limits.ts";
import type { Random } from "../runtime/random.ts";

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

/** As strong as 128 MiB in one go, with a quarter of the memory. */
const cost = { logN: 15, r: 8, p: 3 };
const hashBytes = 32;
const saltBytes = 16;

export interface Passwords {
  /** What may be stored of it. Both reject with 503 when too many wait, and with `Cancelled` when nobody does. */
  hash(password: string, from: Asker): Promise<string>;
  /** Whether what is stored was made of it; never, when nothing is. */
  fits(password: string, stored: string | null, from: Asker): Promise<boolean>;
}

/** Who waits for an answer, and until when. */
export interface Asker {
  /** Those of one origin take turns with those of others. */
  origin: string;
  unwanted: AbortSignal;
}

export function openPasswords(random: Random): Passwords {
  const turns = new FairTurns({
    atOnceMax: passwordsAtOnceMax,
    waitingMax: passwordsWaitingMax,
    what: "passwords",
  });
  const nobodys = written(cost, random(saltBytes), random(hashBytes));

  return {
    hash: (password, { origin, unwanted }) =>
      turns.run(origin, unwanted, async () => {
        const salt = random(saltBytes);
        return written(cost, salt, await derived(password, salt, cost, hashBytes));
      }),
    fits: (password, stored, { origin, unwanted }) =>
      turns.run(origin, unwanted, async () => {
        const { made, salt, hash } = read(stored ?? nobodys);
        const fits = timingSafeEqual(await derived(password, salt, made, hash.length), hash);
        return fits && stored !== null;
      }),
  };
}

/** What looks the same is the same password, however a keyboard composes its letters. */
function derived(password: string, salt: Uint8Array, made: typeof cost, bytes: number): Promise<Buffer> {
  const N = 2 ** made.logN;
  const { r, p } = made;
  return derive(password.normalize("NFKC"), salt, bytes, { N, r, p, maxmem: 2 * 128 * N * r });
}

function written({ logN, r, p }: typeof cost, salt: Uint8Array, hash: Uint8Array): string {
  return ["scrypt", logN, r, p, base64(salt), base64(hash)].join("$");
}

function read(stored: string): { made: typeof cost; salt: Buffer; hash: Buffer } {
  const [scheme, logN, r, p, salt, hash] = stored.split("$");
  if (scheme !== "scrypt" || !salt || !hash) throw new Error("a stored password is in no known form");
  const made = { logN: Number(logN), r: Number(r), p: Number(p) };
  return { made, salt: Buffer.from(salt, "base64url"), hash: Buffer.from(hash, "base64url") };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
