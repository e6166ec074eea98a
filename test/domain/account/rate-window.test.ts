import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  dayMs,
  exactWindows,
  meterOf,
  minuteMs,
  type RateMeter,
  secondMs,
  takeRequest,
  usedNow,
} from "../../../src/domain/account/rate-window.ts";
import type { KeyDoc, PlanLimits, StoredWindow } from "../../../src/domain/documents.ts";
import { sampleKey, sampleLimits } from "../../fakes/sample-documents.ts";

const noon = Date.UTC(2030, 0, 15, 12, 0, 0);
const roomy = sampleLimits({ burst: 1_000, per_minute: 1_000, per_day: 1_000 });
const aDay = { ...roomy, per_day: 10_000, burst: 10_000 };

type Step =
  | { do: "request" }
  | { do: "requests"; times: number }
  | { do: "move"; ms: number }
  /** Memory is lost; what was stored is not. */
  | { do: "crash" }
  /** A request whose windows are not stored yet when the memory is lost: its answer never leaves. */
  | { do: "crash before storing" }
  | { do: "stop in good order" }
  | { do: "limits"; limits: PlanLimits };

const limitsOf = fc.record({
  per_minute: fc.integer({ min: 0, max: 80 }),
  per_day: fc.integer({ min: 0, max: 300 }),
  burst: fc.integer({ min: 0, max: 40 }),
  qr_cap: fc.constant(0),
  keys: fc.constant(1),
  projects: fc.constant(1),
  analytics_days: fc.constant(1),
});
const request = fc.constant<Step>({ do: "request" });
const requests = fc.record({ do: fc.constant("requests" as const), times: fc.integer({ min: 1, max: 60 }) });
const moves = (min: number) =>
  fc.oneof(
    fc.record({
      do: fc.constant("move" as const),
      ms: fc.integer({ min: Math.max(min, -2_000), max: 2_000 }),
    }),
    fc.record({
      do: fc.constant("move" as const),
      ms: fc.integer({ min: Math.max(min, -minuteMs), max: minuteMs }),
    }),
    fc.record({
      do: fc.constant("move" as const),
      ms: fc.integer({ min: Math.max(min, -dayMs), max: dayMs }),
    }),
  );
const stop = fc.constant<Step>({ do: "stop in good order" });

/** A key and its meter as the account's actor uses them. */
class Door {
  key: KeyDoc = sampleKey({ minute: { start: 0, used: 0 }, day: { start: 0, used: 0 } });
  meter: RateMeter = meterOf(this.key);

  ask(limits: PlanLimits, now: number, isStored = true) {
    const verdict = takeRequest(this.meter, limits, now);
    if (verdict.store !== null && isStored) this.key = { ...this.key, ...verdict.store };
    return verdict;
  }

  crash(): void {
    this.meter = meterOf(this.key);
  }

  stop(): void {
    const exact = exactWindows(this.meter, this.key);
    if (exact !== null) this.key = { ...this.key, ...exact };
    this.meter = meterOf(this.key);
  }
}

const aligned = (now: number, lengthMs: number) => now - (now % lengthMs);

test("no window ever lets more than its limit through, whatever the clock and the process do", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: request },
    { weight: 4, arbitrary: requests },
    { weight: 4, arbitrary: moves(-dayMs) },
    { weight: 2, arbitrary: fc.constantFrom<Step>({ do: "crash" }, { do: "crash before storing" }) },
    { weight: 1, arbitrary: stop },
  );
  fc.assert(
    fc.property(limitsOf, fc.array(step, { maxLength: 80 }), (limits, steps) => {
      const door = new Door();
      const passed = new Map<string, number>();
      let now = noon;
      let lastMinute = 0;
      const ask = () => {
        if (door.ask(limits, now).refused !== null) return;
        const { minute, day } = door.meter;
        // A clock that went back charges the latest window it has seen.
        assert.ok(minute.start >= Math.max(aligned(now, minuteMs), lastMinute));
        assert.equal(minute.start % minuteMs, 0);
        lastMinute = minute.start;
        for (const [window, limit] of [
          [`minute ${minute.start}`, limits.per_minute],
          [`day ${day.start}`, limits.per_day],
        ] as const) {
          const count = (passed.get(window) ?? 0) + 1;
          passed.set(window, count);
          assert.ok(count <= limit, `${window} let ${count} of ${limit} through`);
        }
      };
      for (const action of steps) {
        if (action.do === "request") ask();
        else if (action.do === "requests") for (let i = 0; i < action.times; i++) ask();
        else if (action.do === "move") now += action.ms;
        else if (action.do === "stop in good order") door.stop();
        else {
          if (action.do === "crash before storing") door.ask(limits, now, false);
          door.crash();
        }
      }
    }),
    { numRuns: 400 },
  );
});

test("without crashes exactly the limit passes, over orderly stops and changes of the limits", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: request },
    { weight: 4, arbitrary: requests },
    { weight: 4, arbitrary: moves(0) },
    { weight: 1, arbitrary: stop },
    { weight: 1, arbitrary: limitsOf.map((limits): Step => ({ do: "limits", limits })) },
  );
  fc.assert(
    fc.property(limitsOf, fc.array(step, { maxLength: 80 }), (first, steps) => {
      const door = new Door();
      const used = new Map<string, number>();
      let limits: PlanLimits = first;
      let now = noon;
      let life = 0;
      const ask = () => {
        const second = `second ${life} ${aligned(now, secondMs)}`;
        const minute = `minute ${aligned(now, minuteMs)}`;
        const day = `day ${aligned(now, dayMs)}`;
        const full = (window: string, limit: number) => (used.get(window) ?? 0) >= limit;
        const expected = full(second, limits.burst)
          ? "rate_limited"
          : full(minute, limits.per_minute)
            ? "rate_limit_minute"
            : full(day, limits.per_day)
              ? "rate_limit_day"
              : null;
        const verdict = door.ask(limits, now);
        assert.equal(verdict.refused, expected);
        if (expected === null) {
          for (const window of [second, minute, day]) used.set(window, (used.get(window) ?? 0) + 1);
        } else {
          const length = { rate_limited: secondMs, rate_limit_minute: minuteMs, rate_limit_day: dayMs }[
            expected
          ];
          assert.equal(verdict.retryAfter, Math.ceil((length - (now % length)) / 1000));
        }
        assert.equal(usedNow(door.meter.minute, minuteMs, now), used.get(minute) ?? 0);
        assert.equal(usedNow(door.meter.day, dayMs, now), used.get(day) ?? 0);
      };
      for (const action of steps) {
        if (action.do === "request") ask();
        else if (action.do === "requests") for (let i = 0; i < action.times; i++) ask();
        else if (action.do === "move") now += action.ms;
        else if (action.do === "limits") limits = action.limits;
        else {
          door.stop();
          life++;
        }
      }
    }),
    { numRuns: 400 },
  );
});

test("a crash costs a window at most a sixteenth of its limit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 2_000 }), (limit, before) => {
      const limits = { ...aDay, per_minute: limit };
      const door = new Door();
      const pass = () => door.ask(limits, noon).refused === null;
      let passed = 0;
      while (passed < before && pass()) passed++;
      door.crash();
      while (pass()) passed++;
      assert.ok(passed <= limit);
      assert.ok(passed >= limit - Math.max(0, Math.floor(limit / 16) - 1), `${passed} of ${limit}`);
    }),
  );
});

test("most requests need no write of their own", () => {
  const limits = { ...aDay, per_minute: 1_600 };
  const door = new Door();
  const writes = Array.from({ length: 1_600 }, () => door.ask(limits, noon)).filter(({ store }) => store);
  assert.ok(writes.length < 120, `${writes.length} writes for 1,600 requests`);
});

test("a crash costs a window at most a sixteenth of what it has used", () => {
  const limits = { ...aDay, per_minute: 1_600 };
  const door = new Door();
  for (let request = 1; request <= 1_000; request++) {
    const { store } = door.ask(limits, noon);
    if (store) assert.ok(store.minute.used <= request * (1 + 1 / 16) && store.day.used >= request);
  }
});

test("windows begin with the UTC second, minute and day", () => {
  assert.deepEqual([secondMs, minuteMs, dayMs], [1_000, 60_000, 86_400_000]);
  const now = noon + 61_234;
  const meter = meterOf(sampleKey({ minute: { start: 0, used: 9 }, day: { start: 0, used: 9 } }));
  const verdict = takeRequest(meter, roomy, now);
  const minute = { start: noon + 60_000, used: 1 };
  const day = { start: Date.UTC(2030, 0, 15), used: 1 };
  assert.deepEqual(verdict, { refused: null, retryAfter: 0, store: { minute, day } });
  assert.deepEqual(meter, { second: { start: noon + 61_000, used: 1 }, minute, day, covered: 0 });
});

test("a write reserves a sixteenth of the minute's requests, and what it covers needs none", () => {
  const meter = meterOf(sampleKey());
  const stored: Record<number, number | null> = {};
  for (let request = 1; request <= 50; request++) {
    const { store, retryAfter } = takeRequest(meter, roomy, noon);
    assert.equal(retryAfter, 0);
    stored[request] = store === null ? null : store.minute.used;
  }
  const shown = [1, 2, 17, 31, 32, 33, 34, 35, 48, 49, 50].map((request) => stored[request]);
  assert.deepEqual(shown, [1, 2, 17, 31, 33, null, 35, null, 50, null, null]);
});

test("a reservation does not outlive its minute", () => {
  const meter = meterOf(sampleKey());
  for (let request = 1; request <= 32; request++) takeRequest(meter, roomy, noon);
  assert.equal(meter.covered, 1);
  assert.deepEqual(takeRequest(meter, roomy, noon + minuteMs).store, {
    minute: { start: noon + minuteMs, used: 1 },
    day: { start: Date.UTC(2030, 0, 15), used: 33 },
  });
});

test("an orderly stop stores what the windows are, unless that is what is stored", () => {
  const meter = meterOf(sampleKey());
  for (let request = 1; request <= 5; request++) takeRequest(meter, roomy, noon);
  const { minute, day } = meter;
  assert.equal(exactWindows(meter, { minute, day }), null);
  const ahead = (window: StoredWindow) => ({ ...window, used: window.used + 1 });
  for (const stored of [
    { minute: ahead(minute), day: ahead(day) },
    { minute: ahead(minute), day },
    { minute, day: ahead(day) },
  ]) {
    assert.deepEqual(exactWindows(meter, stored), { minute, day });
  }
});

test("of a window that is over nothing is used", () => {
  const window = { start: noon, used: 7 };
  assert.equal(usedNow(window, minuteMs, noon + minuteMs - 1), 7);
  assert.equal(usedNow(window, minuteMs, noon + minuteMs), 0);
});
