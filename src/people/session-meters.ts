/**
 * How often sessions ask: the rate windows of each, in one place for all members. They are nobody else's, and take nothing
 * from any key.
 *
 * Sessions are opened and ended by the keeper of the accounts, so their windows are the keeper's too, whoever answers
 * what is asked with them. They are stored in the session, ahead of the truth as those of a key are (`rate-window.ts`), some
 * dozens of requests at a time: people wait for what pages ask. A keeper that leaves hands them to the next one.
 *
 * A session that has ended must not be stored again by a request that was under way, so whoever ends one says so first.
 */
import { type HandedMeter, meterOf, type RateMeter, takeRequest } from "../domain/account/rate-window.ts";
import type { SessionDoc, Write } from "../domain/documents.ts";
import { ApiError, type ErrorCode, unavailable } from "../domain/errors.ts";
import { endedSessionsMax, sessionLimits, sessionMetersMax, sessionReserved } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";

export interface SessionMetersParts {
  store: Pick<Store, "get">;
  clock: Clock;
  /** Durable when it resolves. */
  commit(writes: Write[]): Promise<void>;
  /** The simulation has smaller ones. */
  limits?: typeof sessionLimits & { reserved: number };
}

const ordinaryLimits = { ...sessionLimits, reserved: sessionReserved };

/** What became of a request of a session. */
export interface Taken {
  /** Null when it may go on. */
  refused: ErrorCode | null;
  /** Seconds until the refusing window ends. */
  retryAfter: number;
}

interface Metered {
  session: SessionDoc;
  meter: RateMeter;
  /** What was reserved last, while it is not stored yet. */
  storing: Promise<void> | null;
}

export class SessionMeters {
  readonly #parts: SessionMetersParts;
  readonly #metered = new BoundedMap<string, Metered>(sessionMetersMax);
  /** From the keeper before, until they are asked for. */
  readonly #handed = new BoundedMap<string, RateMeter>(sessionMetersMax);
  readonly #ended = new BoundedMap<string, true>(endedSessionsMax);

  constructor(parts: SessionMetersParts) {
    this.#parts = parts;
  }

  /** Takes one request out of the session's windows. Resolves when they are stored. */
  async take(id: string): Promise<Taken> {
    const metered = this.#metered.get(id) ?? (await this.#read(id));
    if (metered === null) return { refused: "unauthorized", retryAfter: 0 };
    const { clock, limits = ordinaryLimits } = this.#parts;
    const { refused, retryAfter, store } = takeRequest(metered.meter, limits, clock.now(), limits.reserved);
    if (store !== null) this.#store(metered, { ...metered.session, ...store });
    if (metered.storing !== null) await metered.storing;
    return { refused, retryAfter };
  }

  /** Nothing of the session is stored any more. Should `end` fail, it goes on. */
  async ending(id: string, end: () => Promise<void>): Promise<void> {
    this.#ended.set(id, true);
    this.#metered.delete(id);
    try {
      await end();
    } catch (cause) {
      this.#ended.delete(id);
      throw cause;
    }
  }

  /** Of all sessions that have asked here, for the next keeper. */
  handOver(): HandedMeter[] {
    const handed: HandedMeter[] = [];
    for (const [of, { meter }] of this.#metered) handed.push({ of, meter });
    return handed;
  }

  receive(handed: readonly HandedMeter[]): void {
    for (const { of, meter } of handed) this.#handed.set(of, meter);
  }

  async #read(id: string): Promise<Metered | null> {
    const session = await this.#parts.store.get("sessions", id);
    const meanwhile = this.#metered.get(id);
    if (meanwhile !== undefined) return meanwhile;
    if (session === null || this.#ended.has(id)) return null;
    const meter = this.#handed.get(id) ?? meterOf(session);
    this.#handed.delete(id);
    const metered = { session, meter, storing: null };
    this.#metered.set(id, metered);
    return metered;
  }

  #store(metered: Metered, session: SessionDoc): void {
    const { commit } = this.#parts;
    const before = metered.storing;
    const storing = Promise.all([before, commit([{ collection: "sessions", put: session }])])
      .then(
        () => {},
        (cause: unknown) => {
          // Nobody knows what is reserved.
          metered.meter.covered = 0;
          throw cause instanceof ApiError
            ? cause
            : unavailable("The store did not take the request. Try again shortly.");
        },
      )
      .finally(() => {
        if (metered.storing === storing) metered.storing = null;
      });
    storing.catch(() => {});
    metered.storing = storing;
  }
}

/** Throws when the request may not go on. */
export function requireRoom({ refused, retryAfter }: { refused: string | null; retryAfter: number }): void {
  if (refused === null) return;
  if (refused === "unauthorized") throw new ApiError("unauthorized", "Nobody is signed in, or not any more.");
  throw new ApiError(
    refused as ErrorCode,
    "Too many requests of this session. Try again shortly.",
    retryAfter,
  );
}
