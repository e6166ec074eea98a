/** The mix of requests, sent at an even pace whatever the answers take: a slow service does not slow it down. */

import { download, list, read, stranger, usage } from "./read-calls.ts";
import { scanLimited, scanPlain, scanRuled, scanUncounted, scanUnknown } from "./scan-calls.ts";
import type { Call, World } from "./world.ts";
import { change, create, repeatCreate } from "./write-calls.ts";

/** In thousandths of the requests. */
const mix: readonly (readonly [Call, number])[] = [
  [scanPlain, 610],
  [scanRuled, 100],
  [scanLimited, 60],
  [scanUncounted, 40],
  [scanUnknown, 40],
  [read, 70],
  [change, 25],
  [download, 20],
  [create, 10],
  [repeatCreate, 6],
  [list, 9],
  [usage, 5],
  [stranger, 5],
];

export interface Traffic {
  /** Requests that were due when too many were waiting already. */
  readonly heldBack: number;
  /** Ends it and waits for the answers that are due. */
  stop(): Promise<void>;
}

const stepMs = 4;
const waitingMax = 512;

export function startTraffic(world: World, perSecond: number): Traffic {
  const began = performance.now();
  const waiting = new Set<Promise<void>>();
  let due = 0;
  let heldBack = 0;
  const send = () => {
    const call = pick(world.chance.below(1_000))(world)
      .catch((cause: Error) => world.judge.fail(cause.stack ?? cause.message))
      .finally(() => waiting.delete(call));
    waiting.add(call);
  };
  const timer = setInterval(() => {
    const wanted = ((performance.now() - began) / 1_000) * perSecond;
    for (; due < wanted; due++) {
      if (waiting.size < waitingMax) send();
      else heldBack++;
    }
  }, stepMs);
  return {
    get heldBack() {
      return heldBack;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(waiting);
    },
  };
}

function pick(thousandth: number): Call {
  let rest = thousandth;
  for (const [call, share] of mix) {
    if (rest < share) return call;
    rest -= share;
  }
  throw new Error("the shares of the traffic do not add up to 1000");
}
