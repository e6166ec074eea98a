/**
 * Sends requests and sorts their answers. While the service is away, lost connections and 503 are what a client
 * has to expect; at any other time they are failures, like every other 5xx at all times.
 */
import { AssertionError } from "node:assert";
import { assertInContract } from "../../../test/support/contract.ts";
import type { Answer, Request, Wire } from "./wire.ts";

export type Side = "scan" | "api";

export interface Counts {
  answered: number;
  /** Nobody knows whether they were done. */
  lost: number;
  /** 503 around a restart. */
  unavailable: number;
  failed: number;
}

export interface Judge {
  /** Null when there is no answer to look at; a failure is then noted already. */
  ask(side: Side, request: Request): Promise<Answer | null>;
  fail(what: string): void;
  readonly counts: Counts;
  /** The first ones; `counts.failed` has the number. */
  readonly failures: readonly string[];
}

const failuresKept = 50;
const failureCharsMax = 600;

export function openJudge(
  wire: Wire,
  outages: Outages,
  measured: (side: Side, ms: number) => void,
  now: () => number = () => performance.now(),
): Judge {
  const counts: Counts = { answered: 0, lost: 0, unavailable: 0, failed: 0 };
  const failures: string[] = [];

  function fail(what: string): void {
    counts.failed++;
    if (failures.length < failuresKept) failures.push(what.slice(0, failureCharsMax));
  }

  async function ask(side: Side, request: Request): Promise<Answer | null> {
    const from = now();
    const answer = await wire.send(request);
    const to = now();
    const about = `${request.method} ${request.path}`;
    if (answer.status === null) {
      counts.lost++;
      if (!outages.meets(from, to)) fail(`${about}: the connection was lost (${answer.cause})`);
      return null;
    }
    if (answer.status === 503 && outages.meets(from, to)) {
      counts.unavailable++;
      return null;
    }
    counts.answered++;
    if (answer.status >= 500) {
      fail(`${about} was answered with ${answer.status}: ${answer.body}`);
      return null;
    }
    measured(side, to - from);
    if (side === "api") holdAgainstContract(request, answer, fail);
    return answer;
  }

  return { ask, fail, counts, failures };
}

function holdAgainstContract({ method, path }: Request, answer: Answer, fail: (what: string) => void): void {
  const { status } = answer;
  const headers = answer.headers as Record<string, string | undefined>;
  const isText = /json|text/.test(headers["content-type"] ?? "");
  try {
    assertInContract({ method, path, status, headers, body: isText ? String(answer.body) : answer.body });
  } catch (cause) {
    if (!(cause instanceof AssertionError)) throw cause;
    fail(cause.message);
  }
}

/** The stretches in which the service is known to be away, because it is being restarted. */
export interface Outages {
  /** From a signal to readiness. */
  during<T>(restart: () => Promise<T>): Promise<T>;
  /** Whether the service was away at any moment between the two. */
  meets(from: number, to: number): boolean;
}

/** Connections to the process before break a moment after the new one is ready, seen from a busy loop. */
const graceMs = 1_000;

export function openOutages(now: () => number = () => performance.now()): Outages {
  const past: { from: number; to: number }[] = [];
  return {
    async during(restart) {
      const outage = { from: now(), to: Number.POSITIVE_INFINITY };
      past.push(outage);
      try {
        return await restart();
      } finally {
        outage.to = now() + graceMs;
      }
    },
    meets: (from, to) => past.some((outage) => from <= outage.to && to >= outage.from),
  };
}
