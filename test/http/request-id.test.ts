import assert from "node:assert/strict";
import { test } from "node:test";
import { newRequestId } from "../../src/http/request-id.ts";

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("ids of requests are UUIDs of version 4, and no two are the same", () => {
  const ids = Array.from({ length: 10_000 }, newRequestId);
  for (const id of ids) assert.match(id, version4);
  assert.equal(new Set(ids).size, ids.length);
});

test("every digit of an id but that of the version takes every value it may", () => {
  const ids = Array.from({ length: 10_000 }, newRequestId);
  for (let at = 0; at < 36; at++) {
    const seen = new Set(ids.map((id) => id[at]));
    const values = at === 14 || [8, 13, 18, 23].includes(at) ? 1 : at === 19 ? 4 : 16;
    assert.equal(seen.size, values, `at ${at}`);
  }
});
