import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../../src/domain/errors.ts";
import { iso, parseTimestamp } from "../../src/domain/timestamps.ts";

const accepted: [given: string, normalised: string][] = [
  ["2030-01-31T12:00:00Z", "2030-01-31T12:00:00.000Z"],
  ["2030-01-31T12:00Z", "2030-01-31T12:00:00.000Z"],
  ["2030-01-31t12:00:00z", "2030-01-31T12:00:00.000Z"],
  ["2030-01-31T12:00:00.5Z", "2030-01-31T12:00:00.500Z"],
  ["2030-01-31T12:00:00,25Z", "2030-01-31T12:00:00.250Z"],
  ["2030-01-31T12:00:00.123456789Z", "2030-01-31T12:00:00.123Z"],
  ["2030-01-31T12:00:00+02:00", "2030-01-31T10:00:00.000Z"],
  ["2030-01-31T23:30:00-05:45", "2030-02-01T05:15:00.000Z"],
  ["2030-01-31T12:00:00+23:59", "2030-01-30T12:01:00.000Z"],
  ["2030-01-31T12:00:00-00:00", "2030-01-31T12:00:00.000Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
  ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ["0050-06-01T00:00:00Z", "0050-06-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
];

const refused = [
  "",
  "tomorrow",
  "2030-01-31",
  "2030-01-31T12:00:00",
  "2030-01-31 12:00:00Z",
  "2030-01-31T12Z",
  "2030-1-31T12:00:00Z",
  "2030-01-31T12:00:00+02",
  "2030-01-31T12:00:00+0200",
  "2030-01-31T12:00:00+24:00",
  "2030-01-31T12:00:00+02:60",
  "2030-01-31T12:00:00.Z",
  "2030-01-31T24:00:00Z",
  "2030-01-31T12:60:00Z",
  "2030-01-31T12:00:60Z",
  "2030-02-30T12:00:00Z",
  "2029-02-29T12:00:00Z",
  "2100-02-29T12:00:00Z",
  "2030-04-31T12:00:00Z",
  "2030-13-01T12:00:00Z",
  "2030-00-01T12:00:00Z",
  "2030-01-00T12:00:00Z",
  "2030-01-32T12:00:00Z",
  "+012030-01-31T12:00:00Z",
  "2030-99-01T12:00:00Z",
  "2030-01-99T12:00:00Z",
  "9999-12-31T23:59:00-00:01",
  "9999-12-31T23:59:59-01:00",
  "0000-01-01T00:00:00+00:01",
  " 2030-01-31T12:00:00Z",
  "2030-01-31T12:00:00Z\n",
  "1893456000000",
];

for (const [given, normalised] of accepted) {
  test(`${given} is ${normalised}`, () => {
    assert.equal(iso(parseTimestamp("expires_at", given)), normalised);
  });
}

for (const given of refused) {
  test(`${JSON.stringify(given)} is refused`, () => {
    assert.throws(
      () => parseTimestamp("expires_at", given),
      (error) => error instanceof ApiError && error.status === 400 && error.message.startsWith("expires_at "),
    );
  });
}

test("what is shown is read back as the same instant", () => {
  const instants = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      assert.equal(parseTimestamp("expires_at", iso(date.getTime())), date.getTime());
    }),
  );
});
