import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { unknownWord } from "../../../src/analytics/visitor-word.ts";
import { highWord, keyOfWords, lowWord, type SlugKey } from "../../../src/link/slug.ts";
import { Frame, noHour, readFrames } from "../../../src/scan/journal/frame.ts";

type Record = [key: SlugKey, count: number, hour: number, visitor: number];

const hour = 497_000;

const half = fc.integer({ min: 0, max: 2 ** 25 - 1 });
const count = fc.integer({ min: 1, max: 2 ** 48 - 1 });
const visitor = fc.integer({ min: 0, max: 2 ** 16 - 1 });
const record = fc.tuple(
  fc.tuple(half, half).map((words) => keyOfWords(...words)),
  count,
  fc.constant(hour),
  visitor,
);
const turns = fc.array(fc.array(record, { maxLength: 20 }), { minLength: 1, maxLength: 20 });

function written(frames: readonly Record[][], segment: number): Uint8Array {
  const frame = new Frame(20);
  return Buffer.concat(
    frames.map((records) => {
      for (const [key, count, , visitor] of records) frame.append(key, count, visitor);
      const bytes = Buffer.from(frame.seal(segment, hour));
      frame.clear();
      return bytes;
    }),
  );
}

function read(bytes: Uint8Array, segment: number) {
  const records: Record[] = [];
  const replay = readFrames(bytes, segment, (...record) => records.push(record));
  return { ...replay, records };
}

test("what was written is read, whatever stands behind it", () => {
  fc.assert(
    fc.property(turns, turns, (frames, older) => {
      const bytes = written(frames, 5);
      // A segment written over an older one, whose content still follows.
      const over = Buffer.from(Buffer.concat([written([...older, ...frames], 4)]));
      const file = over.length > bytes.length ? over : Buffer.alloc(bytes.length + 64);
      bytes.forEach((byte, at) => {
        file[at] = byte;
      });
      const result = read(file, 5);
      assert.deepEqual(result.records, frames.flat());
      assert.equal(result.frames, frames.length);
      assert.deepEqual(result.damaged, []);
    }),
  );
});

test("a frame torn at any byte is ignored and the ones before it stay", () => {
  const frames: Record[][] = [
    [[keyOfWords(1, 2), 3, hour, 1]],
    [
      [keyOfWords(4, 5), 6, hour, 2],
      [keyOfWords(7, 8), 9, hour, 3],
    ],
    [[keyOfWords(10, 11), 12, hour, 4]],
  ];
  const bytes = written(frames, 1);
  const ends = [48, 112, 160];
  for (let cut = 0; cut <= bytes.length; cut++) {
    const whole = ends.filter((end) => end <= cut).length;
    const result = read(bytes.slice(0, cut), 1);
    assert.equal(result.frames, whole, `cut at ${cut}`);
    assert.deepEqual(result.records, frames.slice(0, whole).flat());
    assert.deepEqual(result.damaged, []);
  }
});

test("damage in the middle is told, and what follows it is read", () => {
  fc.assert(
    fc.property(turns, fc.nat(), fc.integer({ min: 1, max: 255 }), (frames, where, flip) => {
      const bytes = written(frames, 1);
      const last = bytes.length - (32 + frames.at(-1)!.length * 16);
      fc.pre(last > 0);
      bytes[where % last]! ^= flip;
      const result = read(bytes, 1);
      assert.equal(result.frames, frames.length - 1);
      assert.equal(result.damaged.length, 1);
      assert.equal(result.end, bytes.length);
      const lost = frames.flat().length - result.records.length;
      assert.ok(frames.some((frame) => frame.length === lost));
    }),
  );
});

test("no record looks like a header", () => {
  const frames: Record[][] = [[[keyOfWords(2 ** 25 - 1, 2 ** 25 - 1), 2 ** 48 - 1, hour, 0xffff]], []];
  const bytes = written(frames, 1);
  assert.equal(read(bytes.slice(32), 1).frames, 1);
  assert.equal(read(bytes.slice(16), 1).frames, 1);
  assert.equal(read(bytes, 2).frames, 0);
});

/** As version 0.1 wrote it. */
function writtenEarlier(records: readonly [key: SlugKey, count: number][], segment: number): Uint8Array {
  const memory = new ArrayBuffer(16 + records.length * 16);
  const words = new Uint32Array(memory);
  words.set([0xe7a15cb1, segment, records.length, 0]);
  for (const [at, [key, count]] of records.entries()) {
    words[4 + at * 4] = highWord(key);
    words[5 + at * 4] = lowWord(key);
    new Float64Array(memory)[3 + at * 2] = count;
  }
  words[3] = crc32(new Uint8Array(memory));
  return new Uint8Array(memory);
}

test("frames of the version before are read, between new ones too", () => {
  const earlier = writtenEarlier(
    [
      [keyOfWords(1, 2), 3],
      [keyOfWords(4, 5), 2 ** 50],
    ],
    1,
  );
  const now: Record[][] = [[[keyOfWords(6, 7), 8, hour, 9]]];
  const { records, frames, damaged } = read(Buffer.concat([earlier, written(now, 1), earlier]), 1);
  const old = [
    [keyOfWords(1, 2), 3, noHour, unknownWord],
    [keyOfWords(4, 5), 2 ** 50, noHour, unknownWord],
  ];
  assert.deepEqual(records, [...old, now[0]![0], ...old]);
  assert.deepEqual([frames, damaged], [3, []]);
});
