import assert from "node:assert/strict";
import { test } from "node:test";
import { minuteMs, secondMs } from "../../src/domain/account/rate-window.ts";
import type { Write } from "../../src/domain/documents.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { sessionLimits, sessionReserved } from "../../src/limits.ts";
import { requireRoom, SessionMeters } from "../../src/people/session-meters.ts";
import { putSession } from "../../src/people/sessions.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryStore } from "../fakes/memory-store.ts";
import { sampleSession } from "../fakes/sample-documents.ts";

const session = sampleSession();
const { id } = session;

async function opened() {
  const store = new MemoryStore();
  const clock = new ManualClock();
  clock.advance(minuteMs - (clock.now() % minuteMs));
  const state = { commits: 0, before: async () => {} };
  const commit = async (writes: Write[]) => {
    state.commits++;
    await state.before();
    await store.commit(writes);
  };
  const open = () => new SessionMeters({ store, clock, commit });
  await store.commit([putSession(session)]);
  return { store, clock, state, commit, open, meters: open() };
}

/** How many pass until one is refused, a second's worth at a time. */
async function used(meters: SessionMeters, clock: ManualClock, most: number): Promise<number> {
  for (let passed = 0; passed < most; passed++) {
    if (passed > 0 && passed % sessionLimits.burst === 0) clock.advance(secondMs);
    const { refused } = await meters.take(id);
    if (refused !== null) return passed;
  }
  return most;
}

test("a second has so many requests, and the one that is refused is told until when", async () => {
  const { meters, clock, state } = await opened();
  for (let n = 0; n < sessionLimits.burst; n++) {
    assert.deepEqual(await meters.take(id), { refused: null, retryAfter: 0 });
  }
  assert.deepEqual(await meters.take(id), { refused: "rate_limited", retryAfter: 1 });
  clock.advance(secondMs);
  assert.equal((await meters.take(id)).refused, null);
  assert.equal(state.commits, Math.ceil(sessionLimits.burst / sessionReserved));
});

test("by what is stored a minute never has more than its limit, and few less", async () => {
  const { meters, clock, open } = await opened();
  const first = 700;
  assert.equal(await used(meters, clock, first), first);
  clock.advance(secondMs);
  const again = await used(open(), clock, sessionLimits.per_minute);
  assert.ok(first + again <= sessionLimits.per_minute);
  assert.ok(first + again > sessionLimits.per_minute - 2 * sessionReserved, `${first + again} passed`);
});

test("the next keeper goes on to the very request", async () => {
  const { meters, clock, open } = await opened();
  const first = 10;
  for (let n = 0; n < first; n++) await meters.take(id);
  const next = open();
  next.receive(JSON.parse(JSON.stringify(meters.handOver())));
  let passed = 0;
  while ((await next.take(id)).refused === null) passed++;
  assert.equal(first + passed, sessionLimits.burst);
  clock.advance(secondMs);
  assert.equal(
    await used(next, clock, sessionLimits.per_minute),
    sessionLimits.per_minute - sessionLimits.burst,
  );
});

test("requests that a reservation covers wait until it is stored", async () => {
  const { meters, state } = await opened();
  let store = () => {};
  state.before = () =>
    new Promise((resolve) => {
      store = resolve;
    });
  let passed = 0;
  const asked = [1, 2, 3].map(() => meters.take(id).then(() => passed++));
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
  assert.equal(passed, 0);
  store();
  await Promise.all(asked);
  assert.equal(state.commits, 1);
});

test("what could not be stored is refused, and counts all the same", async () => {
  const { meters, state } = await opened();
  state.before = () => Promise.reject(new StoreUnavailable("away"));
  await assert.rejects(meters.take(id), (cause) => cause instanceof ApiError && cause.status === 503);
  state.before = async () => {};
  let passed = 0;
  while ((await meters.take(id)).refused === null) passed++;
  assert.equal(passed, sessionLimits.burst - 1);
  assert.ok(state.commits >= 3, "the reservation that failed covers nothing");
});

test("a session that ends is not stored again by a request that was under way", async () => {
  const { meters, store, commit, state, open } = await opened();
  await meters.take(id);
  const end = () => meters.ending(id, () => commit([{ collection: "sessions", remove: id }]));
  // Read before the end, and asked for after it.
  const reading = meters.take(id);
  await end();
  await reading;
  assert.deepEqual(await meters.take(id), { refused: "unauthorized", retryAfter: 0 });
  assert.equal(await store.get("sessions", id), null);
  assert.deepEqual(await open().take(id), { refused: "unauthorized", retryAfter: 0 });
  await store.commit([putSession(session)]);
  state.before = () => Promise.reject(new StoreUnavailable("away"));
  await assert.rejects(end());
  state.before = async () => {};
  assert.equal((await meters.take(id)).refused, null, "one that could not be ended goes on");
});

test("whoever is refused is told why", () => {
  requireRoom({ refused: null, retryAfter: 0 });
  const status = (refused: string) => (cause: unknown) => cause instanceof ApiError && cause.code === refused;
  for (const refused of ["unauthorized", "rate_limited", "rate_limit_minute"]) {
    assert.throws(() => requireRoom({ refused, retryAfter: 1 }), status(refused));
  }
});
