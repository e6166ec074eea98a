import { randomBytes } from "node:crypto";

/** Randomness is handed in, so that the simulation can replay it. */
export type Random = (bytes: number) => Uint8Array;

export const systemRandom: Random = (bytes) => randomBytes(bytes);
