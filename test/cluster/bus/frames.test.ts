import assert from "node:assert/strict";
import { test } from "node:test";
import { BadFrame, type Frame, FrameReader, frameOf } from "../../../src/cluster/bus/frames.ts";
import { seededRandom } from "../../simulation/seeded-random.ts";

const random = seededRandom(17);

function someFrame(): Frame {
  return {
    kind: random.below(256),
    number: random.below(2 ** 32),
    text: "é{}\u{1f600}".repeat(random.below(4)),
    bytes: random.bytes(random.below(300)),
  };
}

const plain = ({ kind, number, text, bytes }: Frame) => ({ kind, number, text, bytes: [...bytes] });

test("frames are read as they were written, however the bytes are cut up", () => {
  for (let round = 0; round < 300; round++) {
    const frames = Array.from({ length: random.between(1, 6) }, someFrame);
    const stream = Buffer.concat(frames.map(frameOf));
    const reader = new FrameReader(10_000);
    const found: Frame[] = [];
    for (let at = 0; at < stream.length; ) {
      const end = at + random.between(1, random.chance(0.5) ? 3 : 400);
      found.push(...reader.read(stream.subarray(at, end)));
      at = end;
    }
    assert.deepEqual(found.map(plain), frames.map(plain));
  }
});

test("a frame over the bound is refused when its length is known, and not gathered", () => {
  const frame = frameOf({ kind: 1, number: 1, text: "", bytes: new Uint8Array(100) });
  assert.throws(() => [...new FrameReader(100).read(frame.subarray(0, 4))], BadFrame);
  assert.equal([...new FrameReader(109).read(frame)].length, 1);
});

test("a frame whose parts do not fit into each other is refused", () => {
  const tooShort = Buffer.alloc(4 + 8);
  tooShort.writeUInt32BE(8);
  assert.throws(() => [...new FrameReader(100).read(tooShort)], BadFrame);
  const longText = Buffer.from(frameOf({ kind: 1, number: 1, text: "{}", bytes: new Uint8Array() }));
  longText.writeUInt32BE(3, 9);
  assert.throws(() => [...new FrameReader(100).read(longText)], BadFrame);
});

test("the bound can be raised between two frames that came together", () => {
  const short = { kind: 1, number: 1, text: "", bytes: new Uint8Array() };
  const long = { ...short, bytes: new Uint8Array(50) };
  const reader = new FrameReader(9);
  const found: number[] = [];
  for (const frame of reader.read(Buffer.concat([frameOf(short), frameOf(long)]))) {
    found.push(frame.bytes.length);
    reader.bytesMax = 100;
  }
  assert.deepEqual(found, [0, 50]);
});
