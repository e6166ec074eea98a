/**
 * How two members prove to each other that they know the database's secret, which itself never travels.
 *
 * Each sends a challenge nobody has seen before and answers the other's with a code over both challenges, both names and
 * its own side of the connection: a code can neither be kept for another connection nor be sent back to who made it.
 * Who sits in between can still pass on what is said afterwards, and read it; against that there is TLS.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

export interface Hello {
  /** Of the protocol. Members that speak another one do not understand each other. */
  version: number;
  /** Of the process; differs from every other's. */
  name: string;
  challenge: string;
}

export type Side = "dialled" | "accepted";

export const busVersion = 5;
export const challengeBytes = 32;
const nameCharsMax = 100;

export function proofOf(secret: Uint8Array, side: Side, own: Hello, other: Hello): string {
  const said = [busVersion, side, own.name, own.challenge, other.name, other.challenge];
  return createHmac("sha256", secret).update(JSON.stringify(said)).digest("hex");
}

/** Whether the other one knows the secret. `side` is ours. */
export function isProved(secret: Uint8Array, side: Side, own: Hello, other: Hello, proof: unknown): boolean {
  const expected = Buffer.from(proofOf(secret, side === "dialled" ? "accepted" : "dialled", other, own));
  const given = Buffer.from(typeof proof === "string" ? proof : "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** For who reads the log: most of all, that members of two versions were started on one database. */
export function whyNoHello(said: Partial<Record<keyof Hello, unknown>> | null): string {
  const version = said?.version;
  if (typeof version !== "number" || version === busVersion) return "it speaks something else";
  return `it speaks version ${version} of what members say to each other, and this process version ${busVersion}: all members have to be of one version`;
}

/** Anybody can connect: nothing is taken for granted. Null when it is no hello of this protocol. */
export function helloIn(said: Partial<Record<keyof Hello, unknown>> | null): Hello | null {
  const { version, name, challenge } = said ?? {};
  if (version !== busVersion || typeof name !== "string" || typeof challenge !== "string") return null;
  const isFit = name.length > 0 && name.length <= nameCharsMax && challenge.length === 2 * challengeBytes;
  return isFit ? { version, name, challenge } : null;
}
