/** The command line of the soak. */
import { randomInt } from "node:crypto";
import { parsed, UsageError, whole } from "../../bench/usage.ts";

export interface SoakOptions {
  minutes: number;
  /** Requests a second, scans and API calls together. */
  rate: number;
  restarts: number;
  seed: number;
  mongodb: boolean;
  plotFile: string;
  jsonFile: string | null;
}

/** Restarts happen in this first share of the time; memory is judged in the rest. */
export const disturbedShare = 0.4;
const minutesMax = 24 * 60;
const rateMax = 5_000;
const restartsMax = 1_000;
const seedMax = 2 ** 31 - 1;

export const usage = `Runs the real service under mixed traffic, restarts it at random moments, and checks that all it answered is true.

Usage: npm run soak -- --minutes 15 [options]

  --minutes N      how long traffic flows (15)
  --rate N         requests a second, most of them scans (500); one in a hundred creates a code
  --restarts N     SIGKILLs and SIGTERMs in the first ${disturbedShare * 100} % of the time (about one a minute there)
  --seed N         of the restarts and the traffic (a random one, which is printed)
  --mongodb        on MongoDB: the server of MONGODB_URL, in a database of its own, or one that is started
                   (otherwise on the embedded store in a temporary folder)
  --plot FILE      memory and latency over time (soak.svg)
  --json FILE      the figures and a sample for every second
  --help           show this text

The exit code is 1 when an answer was wrong, something acknowledged is missing afterwards, or memory grows.
`;

/** Null when only the help is wanted. */
export function readArguments(args: readonly string[]): SoakOptions | null {
  const { values } = parsed(args, ["mongodb"], ["minutes", "rate", "restarts", "seed", "plot", "json"]);
  if (values.help) return null;
  const minutes = minutesOf(values.minutes ?? "15");
  const usual = Math.max(1, Math.round(minutes * disturbedShare));
  return {
    minutes,
    rate: whole("rate", values.rate, 500, 1, rateMax),
    restarts: whole("restarts", values.restarts, usual, 0, restartsMax),
    seed: whole("seed", values.seed, randomInt(seedMax), 0, seedMax),
    mongodb: values.mongodb ?? false,
    plotFile: values.plot ?? "soak.svg",
    jsonFile: values.json ?? null,
  };
}

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= minutesMax) return minutes;
  throw new UsageError(
    `--minutes ${text} is not usable: it must be a number above 0 and not above ${minutesMax}`,
  );
}
