/** Times on the clock of the account, there and back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromWall, toWall } from "../../../src/dashboard/words/time.ts";

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
];

test("a minute that is shown on a clock is read as one that shows the same", () => {
  const minute = fc.integer({ min: Date.UTC(2000) / 60_000, max: Date.UTC(2100) / 60_000 });
  fc.assert(
    fc.property(minute, fc.constantFrom(...zones), (minutes, zone) => {
      const moment = minutes * 60_000;
      const wall = toWall(moment, zone);
      const read = fromWall(wall, zone);
      assert.equal(toWall(read, zone), wall);
      // Of an hour that a clock shows twice, the first.
      assert.ok(read <= moment);
      assert.ok(moment - read <= 3_600_000);
    }),
  );
});

test("winter and summer", () => {
  assert.equal(
    new Date(fromWall("2026-01-15T12:00", "Europe/Berlin")).toISOString(),
    "2026-01-15T11:00:00.000Z",
  );
  assert.equal(
    new Date(fromWall("2026-07-15T12:00", "Europe/Berlin")).toISOString(),
    "2026-07-15T10:00:00.000Z",
  );
});

test("an hour that is there twice means the first, one that is left out is read by the offset from before", () => {
  assert.equal(
    new Date(fromWall("2026-10-25T02:30", "Europe/Berlin")).toISOString(),
    "2026-10-25T00:30:00.000Z",
  );
  assert.equal(
    new Date(fromWall("2026-03-29T02:30", "Europe/Berlin")).toISOString(),
    "2026-03-29T01:30:00.000Z",
  );
});
