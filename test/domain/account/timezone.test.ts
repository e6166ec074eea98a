import assert from "node:assert/strict";
import { test } from "node:test";
import { isTimezone } from "../../../src/domain/account/timezone.ts";

test("names of the IANA database are time zones", () => {
  for (const name of ["UTC", "Europe/Berlin", "america/new_york", "Etc/GMT+5"])
    assert.equal(isTimezone(name), true, name);
});

test("offsets and other words are not", () => {
  for (const name of ["+01:00", "-05:30", "", "Mars/Base", " UTC", "Europe/Berlin "]) {
    assert.equal(isTimezone(name), false, name);
  }
});
