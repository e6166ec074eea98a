import assert from "node:assert/strict";
import { test } from "node:test";
import type { Admission } from "../../src/account/account-actor.ts";
import { OutputGate } from "../../src/account/output-gate.ts";
import { dayMs, minuteMs, secondMs } from "../../src/domain/account/rate-window.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { rateLines } from "../../src/door/rate-headers.ts";
import { sampleLimits } from "../fakes/sample-documents.ts";

const noon = Date.UTC(2030, 0, 15, 12, 0, 0);
const limits = sampleLimits({ burst: 10, per_minute: 100, per_day: 1_000 });
const policy = '"burst";q=10;w=1, "minute";q=100;w=60, "day";q=1000;w=86400';

interface Used {
  second: number;
  minute: number;
  day: number;
}

function admission(at: number, used: Used, refusal: ApiError | null = null, of = limits): Admission {
  const window = (lengthMs: number, used: number) => ({ start: at - (at % lengthMs), used });
  return {
    accountId: "acc_1",
    keyId: "key_1",
    limits: of,
    at,
    second: window(secondMs, used.second),
    minute: window(minuteMs, used.minute),
    day: window(dayMs, used.day),
    wayOut: new OutputGate().now(),
    refusal,
  };
}

function told(...given: Parameters<typeof admission>): Record<string, string> {
  const [nothing, ...lines] = rateLines(admission(...given)).split("\r\n");
  assert.equal(nothing, "");
  return Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
}

test("tells the room of every quota, and of the minute or the day, whichever has less", () => {
  const ends = { minute: noon / 1000 + 60, day: noon / 1000 + 43_200 };
  assert.deepEqual(told(noon + 1, { second: 1, minute: 5, day: 100 }), {
    "ratelimit-policy": policy,
    ratelimit: '"burst";r=9;t=1, "minute";r=95;t=60, "day";r=900;t=43200',
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "95",
    "x-ratelimit-reset": String(ends.minute),
  });
  assert.deepEqual(told(noon + 2, { second: 10, minute: 99, day: 1_000 }), {
    "ratelimit-policy": policy,
    ratelimit: '"burst";r=0;t=1, "minute";r=1;t=60, "day";r=0;t=43200',
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(ends.day),
  });
});

test("counts the seconds down, within a minute and from one to the next", () => {
  const used = { second: 1, minute: 1, day: 1 };
  const left = (at: number) =>
    told(at, used)
      .ratelimit!.match(/t=\d+/g)!
      .map((text) => Number(text.slice(2)));
  for (let second = 0; second < 150; second++) {
    const expected = [1, 60 - (second % 60), 43_200 - second];
    for (const ms of [0, 1, 500, 999]) {
      assert.deepEqual(left(noon + second * 1000 + ms), expected, `${second} s and ${ms} ms`);
    }
  }
});

test("a window that a clock set back has kept ends when it did", () => {
  const later = admission(noon + minuteMs, { second: 1, minute: 7, day: 7 });
  const lines = [later, { ...later, at: noon }, { ...later, at: noon + minuteMs }].map(rateLines);
  assert.match(lines[0]!, /"minute";r=93;t=60,/);
  assert.match(lines[1]!, /"minute";r=93;t=120,/);
  assert.equal(lines[2], lines[0]);
});

test("limits that change are told from the next answer on", () => {
  const used = { second: 1, minute: 1, day: 1 };
  assert.equal(told(noon, used)["x-ratelimit-limit"], "100");
  const wider = { ...limits, per_minute: 200 };
  assert.equal(told(noon, used, null, wider)["x-ratelimit-limit"], "200");
  assert.match(told(noon, used, null, wider)["ratelimit-policy"]!, /"minute";q=200;w=60/);
  assert.equal(told(noon, used)["x-ratelimit-limit"], "100");
});

test("a refusal tells of the quota that refused alone", () => {
  const used = { second: 10, minute: 100, day: 999 };
  for (const [code, name, limit, seconds] of [
    ["rate_limited", "burst", 10, 1],
    ["rate_limit_minute", "minute", 100, 60],
  ] as const) {
    const lines = told(noon, used, new ApiError(code, undefined, 1));
    assert.equal(lines.ratelimit, `"${name}";r=0;t=${seconds}`);
    assert.equal(lines["x-ratelimit-limit"], String(limit));
    assert.equal(lines["x-ratelimit-remaining"], "0");
    assert.equal(lines["x-ratelimit-reset"], String(noon / 1000 + seconds));
  }
  const ofDay = told(noon, { ...used, day: 1_000 }, new ApiError("rate_limit_day", undefined, 1));
  assert.equal(ofDay.ratelimit, '"day";r=0;t=43200');
});
