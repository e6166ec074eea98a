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
