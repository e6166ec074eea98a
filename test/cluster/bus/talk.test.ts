import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { FrameReader, frameOf } from "../../../src/cluster/bus/frames.ts";
import { type Answerers, frameFor, kindOf, nothing } from "../../../src/cluster/bus/messages.ts";
import { busVersion } from "../../../src/cluster/bus/proof.ts";
import { Talk, Unanswered } from "../../../src/cluster/bus/talk.ts";
import {
  busBeatMs,
  busFrameBytesMax,
  busGreetingMsMax,
  busQuestionsMax,
  busSilentBeats,
  busUnsentBytesMax,
} from "../../../src/limits.ts";
import { systemRandom } from "../../../src/runtime/random.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { plainAnswerers } from "../../support/bus/answerers.ts";
import { type WireEnd, wirePair } from "../../support/bus/wires.ts";
import { ageAll, OldMemory } from "../../support/old-memory.ts";

const secret = Buffer.alloc(32, 7);
const aCall = { method: "GET", path: "/v1/x", query: "", headers: [], peer: "192.0.2.1", partition: null };

interface Side {
  talk: Talk;
  wire: WireEnd;
  clock: ManualClock;
  events: string[];
}

function side(
  wire: WireEnd,
  name: string,
  { answerers = {}, secret: own = secret }: { answerers?: Partial<Answerers>; secret?: Uint8Array } = {},
): Side {
  const clock = new ManualClock();
  const events: string[] = [];
  const talk = new Talk({
    ...{ wire, name, clock, secret: own, random: systemRandom },
    side: name === "one" ? "dialled" : "accepted",
    answerers: () => plainAnswerers(answerers),
    opened: ({ peer }) => events.push(`opened ${peer}`),
    closed: (_, reason) => events.push(`closed: ${reason}`),
    beat: (talk) => void talk.ask("promise", {}).catch(() => undefined),
  });
  return { talk, wire, clock, events };
}

async function turns(): Promise<void> {
  for (let at = 0; at < 20; at++) await turn();
}

async function pair(answerers: Partial<Answerers> = {}, otherSecret = secret): Promise<[Side, Side]> {
  const [a, b] = wirePair();
  const sides: [Side, Side] = [side(a, "one"), side(b, "two", { answerers, secret: otherSecret })];
  await turns();
  return sides;
}

test("two that know the secret open a talk, and the secret does not travel", async () => {
  const [a, b] = wirePair();
  const sent: Uint8Array[] = [];
  for (const end of [a, b]) {
    const { send } = end;
    end.send = function (bytes) {
      sent.push(bytes);
      send.call(this, bytes);
    };
  }
  const [one, two] = [side(a, "one"), side(b, "two")];
  await turns();
  assert.deepEqual([one.events, two.events], [["opened two"], ["opened one"]]);
  const all = Buffer.concat(sent);
  assert.ok(all.length > 0);
  assert.equal(all.includes(secret), false);
  assert.equal(all.includes(secret.toString("hex")), false);
});

test("another secret opens nothing, on either side", async () => {
  const [one, two] = await pair({}, Buffer.alloc(32, 8));
  for (const { events } of [one, two]) {
    assert.equal(events.length, 1);
    assert.match(events[0]!, /^closed/);
  }
});

test("a proof that is sent back to who made it proves nothing", async () => {
  const [a, b] = wirePair();
  const { events } = side(b, "two");
  // It says back whatever it hears, under another name: the challenge, then the proof.
  const reader = new FrameReader(10_000);
  a.listen({
    got(bytes) {
      for (const frame of reader.read(bytes)) {
        const said = JSON.parse(frame.text);
        const back = kindOf(frame) === "hello" ? { ...said, name: "one" } : said;
        a.send(frameOf(frameFor(kindOf(frame)!, 0, back)));
      }
    },
    closed() {},
  });
  await turns();
  assert.deepEqual(events, ["closed: it does not know the secret"]);
});

test("a member of another version is told by its number", async () => {
  const [a, b] = wirePair();
  const { events } = side(b, "two");
  a.listen({ got() {}, closed() {} });
  a.send(frameOf(frameFor("hello", 0, { version: busVersion - 1, name: "x", challenge: "00".repeat(32) })));
  await turns();
  assert.match(events[0]!, new RegExp(`version ${busVersion - 1} .* version ${busVersion}: all members`));
});

test("who asks before it has proved anything is closed", async () => {
  for (const frames of [
    [frameFor("call", 1, aCall)],
    [
      frameFor("hello", 0, { version: busVersion, name: "x", challenge: "00".repeat(32) }),
      frameFor("call", 1, aCall),
    ],
    [frameFor("hello", 0, { version: busVersion + 1, name: "x", challenge: "00".repeat(32) })],
    [frameFor("hello", 0, { version: busVersion, name: "x".repeat(101), challenge: "00".repeat(32) })],
    [frameFor("hello", 0, { version: busVersion, name: "two", challenge: "00".repeat(32) })],
    [{ kind: 0, number: 0, text: "no JSON", bytes: nothing }],
    [{ kind: 0, number: 0, text: "null", bytes: nothing }],
    [frameFor("hello", 0, {}, new Uint8Array(2_000))],
  ]) {
    const [a, b] = wirePair();
    let isAsked = false;
    const { events } = side(b, "two", {
      answerers: {
        call: () => {
          isAsked = true;
          throw new Error("asked");
        },
      },
    });
    a.listen({ got() {}, closed() {} });
    for (const frame of frames) a.send(frameOf(frame));
    await turns();
    assert.equal(events.length, 1, JSON.stringify(frames));
    assert.match(events[0]!, /^closed/);
    assert.ok(b.isClosed);
    assert.equal(isAsked, false);
  }
});

test("who says nothing is closed in time", async () => {
  const [, b] = wirePair();
  const { clock, events } = side(b, "two");
  clock.advance(busGreetingMsMax - 1);
  assert.deepEqual(events, []);
  clock.advance(1);
  assert.deepEqual(events, ["closed: it did not greet in time"]);
});

test("questions are answered each by its own answer, in whatever order those come", async () => {
  const held: (() => void)[] = [];
  const [one] = await pair({
    call: async ({ said, bytes }) => {
      await new Promise<void>((resolve) => held.unshift(resolve));
      return { said: { status: 200, head: said.path, length: bytes.length }, bytes };
    },
  });
  const asked = ["a", "b", "c"].map((path) => one.talk.ask("call", { ...aCall, path }, Buffer.from(path)));
  await turns();
  for (const answer of held) {
    answer();
    await turns();
  }
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map(({ said, bytes }) => [said.head, Buffer.from(bytes).toString()]),
    [
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
    ],
  );
});

test("one that cannot answer says so, and the talk goes on", async () => {
  const [one] = await pair({
    limited: () => {
      throw new Error("no room");
    },
  });
  await assert.rejects(one.talk.ask("limited", { partition: null, scans: [] }), (cause: Unanswered) => {
    assert.ok(cause instanceof Unanswered);
    assert.match(cause.message, /no room/);
    return !cause.isUndone;
  });
  assert.deepEqual(
    (await one.talk.ask("changed", { slugs: [], limited: [], projects: [], accounts: [] })).said,
    {},
  );
});

test("who wants no answer any more says so, and the other may give it up; so it may when the talk ends", async () => {
  const givenUp: string[] = [];
  const [one] = await pair({
    call: ({ said }, onUnwanted) =>
      new Promise((_resolve, reject) =>
        onUnwanted(() => {
          givenUp.push(said.path);
          reject(new Error("given up"));
        }),
      ),
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = one.talk.ask("call", { ...aCall, path: "first" }, undefined, first.signal);
  const other = one.talk.ask("call", { ...aCall, path: "second" }, undefined, second.signal);
  await turns();
  first.abort();
  await assert.rejects(asked, /given up/);
  assert.deepEqual(givenUp, ["first"]);
  assert.ok(one.talk.isOpen);
  one.talk.close("enough");
  await assert.rejects(other, Unanswered);
  await turns();
  assert.deepEqual(givenUp, ["first", "second"]);
});

test("what was asked when the talk ends fails, as something that may have been done", async () => {
  let isAsked = false;
  const [one, two] = await pair({
    call: () => {
      isAsked = true;
      return new Promise(() => {});
    },
  });
  const asked = one.talk.ask("call", aCall);
  await turns();
  assert.ok(isAsked);
  two.talk.close("enough");
  await assert.rejects(asked, (cause: Unanswered) => !cause.isUndone);
  await assert.rejects(one.talk.ask("call", aCall), (cause: Unanswered) => cause.isUndone);
});

test("silence is known after a second, and a word in between begins it anew", async () => {
  const [one, two] = await pair();
  const secondMs = busBeatMs * busSilentBeats;
  two.wire.isCut = true;
  one.clock.advance(secondMs - busBeatMs);
  await turns();
  assert.ok(one.talk.isOpen);
  two.wire.isCut = false;
  two.clock.advance(busBeatMs);
  await turns();
  one.clock.advance(secondMs - busBeatMs);
  await turns();
  assert.ok(one.talk.isOpen);
  two.wire.isCut = true;
  await turns();
  one.clock.advance(2 * secondMs);
  assert.deepEqual(one.events.at(-1), "closed: it is silent");
});

test("who does not read is cut off before the bound on what it is sent", async () => {
  const [one] = await pair();
  one.wire.isStuck = true;
  const bytes = new Uint8Array(mebibytes(4));
  const asked: Promise<unknown>[] = [];
  while (one.talk.isOpen) {
    asked.push(one.talk.ask("call", aCall, bytes));
    assert.ok(one.wire.unsentBytes <= busUnsentBytesMax);
  }
  assert.deepEqual(one.events.at(-1), "closed: it does not read");
  const ends = await Promise.allSettled(asked);
  assert.ok(ends.every(({ status }) => status === "rejected"));
});

test("more than may be asked is refused to who asks, and cuts off who asks all the same", async () => {
  const [one, two] = await pair({ call: () => new Promise(() => {}) });
  const asked = Array.from({ length: busQuestionsMax }, () => one.talk.ask("call", aCall));
  for (const question of asked) question.catch(() => undefined);
  await assert.rejects(one.talk.ask("call", aCall), (cause: Unanswered) => cause.isUndone);
  await turns();
  assert.ok(two.talk.isOpen);
  one.wire.send(frameOf(frameFor("call", busQuestionsMax + 10, aCall)));
  await turns();
  assert.deepEqual(two.events.at(-1), "closed: it asks too much");
});

test("an answer that nobody waits for, an unknown kind, a frame over the bound end the talk", async () => {
  const tooLong = Buffer.alloc(4);
  tooLong.writeUInt32BE(busFrameBytesMax + 1);
  for (const bytes of [
    frameOf(frameFor("answer", 12_345, {})),
    frameOf({ kind: 200, number: 1, text: "{}", bytes: nothing }),
    frameOf(frameFor("hello", 0, {})),
    tooLong,
  ]) {
    const [one, two] = await pair();
    one.wire.send(bytes);
    await turns();
    assert.match(two.events.at(-1)!, /^closed: it sent/);
    assert.ok(!one.talk.isOpen);
  }
});

function mebibytes(count: number): number {
  return count * 1024 * 1024;
}

test("a question that was answered is forgotten at once by both, not when all memory is next collected", async () => {
  const [one] = await pair({
    async call({ bytes }, onUnwanted) {
      const work = new Array(100).fill(0);
      onUnwanted(() => work.at(-1));
      await turn();
      return { said: { status: 200, head: "", length: 0 }, bytes };
    },
  });
  const ask = () => {
    const headers = Array.from({ length: 30 }, (): [string, string] => ["a", "b"]);
    return one.talk.ask("call", { ...aCall, headers });
  };
  const together = Array.from({ length: 8 });
  await Promise.all(together.map(ask));
  ageAll();
  const old = new OldMemory();
  const times = 2_000;
  for (let time = 0; time < times; time++) {
    await Promise.all(together.map(ask));
    if (time % 100 === 0) old.look();
  }
  const bytesEach = old.grownBytes / (times * together.length);
  assert.ok(bytesEach < 1_000, `${bytesEach} bytes of a question were kept`);
});
