/** An owner and members that serve under its right, on talks in memory and clocks that a test moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Talk } from "../../src/cluster/bus/talk.ts";
import { Followers } from "../../src/cluster/followers.ts";
import { Following } from "../../src/cluster/following.ts";
import { type Moment, RightToServe } from "../../src/cluster/right-to-serve.ts";
import { ackMsMax, busBeatMs, evictionWaitMs, rightMs } from "../../src/limits.ts";
import { systemRandom } from "../../src/runtime/random.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { plainAnswerers } from "../support/bus/answerers.ts";
import { type WireEnd, wirePair } from "../support/bus/wires.ts";

const secret = Buffer.alloc(32, 7);
const aChange = { slugs: ["abc1234"], limited: [], projects: [], accounts: [] };

async function turns(): Promise<void> {
  for (let at = 0; at < 20; at++) await turn();
}

class Owner {
  readonly clock = new ManualClock();
  readonly right = new RightToServe({ steady: () => this.clock.now(), wall: () => this.clock.now() });
  isFenced = true;
  lefts = 0;
  /** Its own sides of them, in the order in which they began. */
  readonly talks: Talk[] = [];
  readonly followers = new Followers({
    right: this.right,
    clock: this.clock,
    isFenced: () => this.isFenced,
    left: () => {
      this.lefts++;
    },
  });

  epoch = 1;

  constructor() {
    this.right.grant(this.right.now());
  }

  accept(wire: WireEnd): void {
    new Talk({
      ...{ wire, secret, name: "owner", side: "accepted", clock: this.clock, random: systemRandom },
      answerers: (talk) =>
        plainAnswerers({
          serve: ({ said }) => ({
            said: { ms: this.followers.grant(talk, said), epoch: this.epoch, unsavedMs: 0, reaches: true },
            bytes: new Uint8Array(),
          }),
        }),
      opened: (talk) => {
        this.talks.push(talk);
        this.followers.opened(talk);
      },
      closed: (talk) => this.followers.closed(talk),
      beat: () => {},
    });
  }
}

class Member {
  readonly clock = new ManualClock();
  readonly right = new RightToServe({ steady: () => this.clock.now(), wall: () => this.clock.now() });
  drops = 0;
  heard: string[] = [];
  isDeaf = false;
  readonly following = new Following({
    right: this.right,
    dropCopies: () => {
      this.drops++;
    },
  });
  readonly name: string;
  talk: Talk | null = null;
  wires: [WireEnd, WireEnd] | null = null;

  constructor(name = "member") {
    this.name = name;
  }

  async connect(owner: Owner): Promise<Talk> {
    const [near, far] = wirePair();
    this.wires = [near, far];
    owner.accept(far);
    this.talk = new Talk({
      ...{ wire: near, secret, name: this.name, side: "dialled", clock: this.clock, random: systemRandom },
      answerers: () =>
        plainAnswerers({
          changed: ({ said }) => {
            this.heard.push(...said.slugs);
            return this.isDeaf ? new Promise(() => {}) : { said: {}, bytes: new Uint8Array() };
          },
          ended: () => {
            this.following.ended();
            return { said: {}, bytes: new Uint8Array() };
          },
        }),
      opened: (talk) => this.following.opened(talk),
      closed: (talk) => this.following.closed(talk),
      beat: (talk) => this.following.ask(talk),
    });
    await turns();
    return this.talk;
  }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await turns();
  return settled;
}

test("a member may serve for what its owner may, from when it asked", async () => {
  const owner = new Owner();
  owner.clock.advance(1_000);
  const member = new Member();
  await member.connect(owner);
  assert.equal(member.drops, 1, "what was there before is dropped");
  assert.ok(member.right.isHeld());
  assert.equal(member.right.leftMs(), rightMs - 1_000);
  // It hears nothing of the owner from now on.
  member.wires![1].isCut = true;
  member.talk!.ask = () => new Promise(() => {});
  const { steady } = member.right.now();
  while (member.right.isHeld()) {
    member.clock.advance(busBeatMs / 5);
    assert.ok(member.talk!.isOpen || !member.right.isHeld());
  }
  assert.ok(member.clock.now() - steady <= rightMs - 1_000);
});

test("copies are dropped when the owner owns anew: somebody else may have owned in between", async () => {
  const owner = new Owner();
  const member = new Member();
  await member.connect(owner);
  assert.equal(member.drops, 1);
  member.following.ask(member.talk!);
  await turns();
  assert.equal(member.drops, 1, "not with every answer");
  owner.epoch = 3;
  member.following.ask(member.talk!);
  await turns();
  assert.equal(member.drops, 2);
  assert.ok(member.right.isHeld());
});

test("nobody serves under an owner whose right is over, or behind whose back somebody may write", async () => {
  for (const spoil of [
    (owner: Owner) => owner.right.revoke(),
    (owner: Owner) => {
      owner.isFenced = false;
    },
  ]) {
    const owner = new Owner();
    spoil(owner);
    const member = new Member();
    await member.connect(owner);
    assert.ok(!member.right.isHeld());
    assert.equal(member.drops, 0);
  }
});

test("copies are dropped with the first answer of every talk, and not again", async () => {
  const owner = new Owner();
  const member = new Member();
  const talk = await member.connect(owner);
  member.clock.advance(busBeatMs);
  await turns();
  assert.equal(member.drops, 1);
  talk.close("a blip");
  assert.ok(!member.right.isHeld(), "with the talk goes the right");
  await member.connect(owner);
  assert.equal(member.drops, 2);
});

test("a change is told when every member has said that its copies are gone", async () => {
  const owner = new Owner();
  const [one, two] = [new Member("one"), new Member("two")];
  await one.connect(owner);
  await two.connect(owner);
  two.wires![0].isStuck = true;
  const told = owner.followers.tell(aChange);
  assert.ok(!(await isSettled(told)));
  assert.deepEqual([one.heard, two.heard], [["abc1234"], ["abc1234"]]);
  two.talk!.close("gone");
  two.wires![1].close();
  assert.ok(!(await isSettled(told)), "its right may not be over, as far as the owner knows");
  owner.clock.advance(evictionWaitMs);
  assert.ok(await isSettled(told));
});

test("a member that does not answer is cut off, gets no more time, and is waited for", async () => {
  const owner = new Owner();
  const member = new Member();
  member.isDeaf = true;
  const talk = await member.connect(owner);
  const told = owner.followers.tell(aChange);
  assert.ok(!(await isSettled(told)));
  owner.clock.advance(ackMsMax);
  assert.ok(!(await isSettled(told)));
  assert.ok(!talk.isOpen);
  owner.clock.advance(evictionWaitMs - ackMsMax - 1);
  assert.ok(!(await isSettled(told)));
  owner.clock.advance(1);
  assert.ok(await isSettled(told));
  assert.equal(owner.lefts, 1);
});

test("a member that was never given time is not waited for", async () => {
  const owner = new Owner();
  owner.isFenced = false;
  const member = new Member();
  (await member.connect(owner)).close("gone");
  member.wires![1].close();
  await turns();
  assert.ok(await isSettled(owner.followers.tell(aChange)));
});

test("one that comes back under a later number has given up its earlier talk by itself", async () => {
  const owner = new Owner();
  const member = new Member();
  (await member.connect(owner)).close("a blip");
  await turns();
  const told = owner.followers.tell(aChange);
  assert.ok(!(await isSettled(told)));
  await member.connect(owner);
  assert.ok(await isSettled(told));
});

test("an earlier talk that comes to life late is no proof that a later one was given up", async () => {
  const owner = new Owner();
  const member = new Member();
  await member.connect(owner);
  const second = await member.connect(owner);
  // As if the first connection had been the slower one: the owner hears of it last.
  second.close("lost on one side");
  await turns();
  const late = new Member();
  await late.connect(owner);
  assert.ok(!(await isSettled(owner.followers.tell(aChange))), "the first term is below the second");
});

test("whoever is dismissed serves no more, and who cannot be told is waited for", async () => {
  const owner = new Owner();
  const [one, two] = [new Member("one"), new Member("two")];
  await one.connect(owner);
  await two.connect(owner);
  two.wires![1].isCut = true;
  const dismissed = owner.followers.dismiss();
  assert.ok(!(await isSettled(dismissed)));
  assert.ok(!one.right.isHeld());
  one.clock.advance(busBeatMs);
  await turns();
  assert.ok(!one.right.isHeld(), "it gets no more time");
  owner.clock.advance(ackMsMax);
  owner.clock.advance(evictionWaitMs);
  assert.ok(await isSettled(dismissed));
});

test("what followers have saved is known from when they were asked, also of one that has just left", async () => {
  const owner = new Owner();
  assert.equal(owner.followers.savedUntil, Number.POSITIVE_INFINITY, "nobody is there");
  await new Member("one").connect(owner);
  await new Member("two").connect(owner);
  assert.equal(owner.followers.savedUntil, Number.POSITIVE_INFINITY, "nobody has counted anything");
  const asked = owner.right.now();
  owner.clock.advance(100);
  owner.followers.promised(owner.talks[0]!, asked, { ms: rightMs, unsavedMs: 700 });
  owner.followers.promised(owner.talks[1]!, owner.right.now(), { ms: rightMs, unsavedMs: 0 });
  assert.equal(owner.followers.savedUntil, asked.wall - 700);
  owner.talks[0]!.close("gone");
  assert.equal(owner.followers.savedUntil, asked.wall - 700, "it may still serve");
  owner.clock.advance(evictionWaitMs);
  assert.ok(owner.followers.savedUntil > asked.wall - 700, "it serves no more");
});

test("what a member hands on it waits for from its last answer before that, whatever it says later", async () => {
  const owner = new Owner();
  await new Member().connect(owner);
  const [talk] = owner.talks;
  const { followers, right, clock } = owner;
  assert.equal(followers.waiting(talk!)(), false, "it has answered nothing");
  followers.heard(talk!, right.now());
  const first = followers.waiting(talk!);
  clock.advance(rightMs - 1);
  assert.ok(first());
  followers.heard(talk!, right.now());
  const second = followers.waiting(talk!);
  clock.advance(1);
  assert.equal(first(), false);
  assert.ok(second());
});

test("promises count from when they were asked for, and all that are connected must have made one", async () => {
  const owner = new Owner();
  const at = (): Moment => owner.right.now();
  assert.deepEqual(owner.followers.promisedSince(at()), at(), "nobody is there");
  await new Member("one").connect(owner);
  await new Member("two").connect(owner);
  assert.equal(owner.followers.promisedSince(at()), null);
  const first = at();
  owner.followers.promised(owner.talks[0]!, first, { ms: rightMs, unsavedMs: 0 });
  assert.equal(owner.followers.promisedSince(at()), null);
  owner.clock.advance(100);
  owner.followers.promised(owner.talks[1]!, at(), { ms: rightMs, unsavedMs: 0 });
  assert.deepEqual(owner.followers.promisedSince(at()), first);
  owner.followers.promised(owner.talks[0]!, at(), { ms: 0, unsavedMs: 0 });
  assert.equal(owner.followers.promisedSince(at()), null);
});

test("a member that an owner hands over serves on, and the next owner waits until it has come over", async () => {
  const [old, next] = [new Owner(), new Owner()];
  const member = new Member();
  const talk = await member.connect(old);
  assert.deepEqual(old.followers.letGo(), ["member"]);
  member.following.handedOver();
  talk.close("the owner has gone");
  assert.ok(member.right.isHeld(), "what it was given stands");
  next.followers.inherit(["member"]);
  const told = next.followers.tell(aChange);
  assert.ok(!(await isSettled(told)));
  await member.connect(next);
  assert.equal(member.drops, 2, "what it had is dropped before the owner goes on");
  assert.ok(await isSettled(told));
  assert.ok(member.right.isHeld());
});

test("one that never comes over is waited for until what it was given is over", async () => {
  const owner = new Owner();
  owner.followers.inherit(["member"]);
  const told = owner.followers.tell(aChange);
  owner.clock.advance(evictionWaitMs - 1);
  assert.ok(!(await isSettled(told)));
  owner.clock.advance(1);
  assert.ok(await isSettled(told));
});

test("until the next owner answers, what it says of an earlier right is not over", async () => {
  const owner = new Owner();
  owner.isFenced = false;
  owner.followers.inherit(["member"]);
  const member = new Member();
  member.right.grant(member.right.now());
  member.following.handedOver();
  await member.connect(owner);
  assert.ok(member.right.isHeld());
  assert.ok(!(await isSettled(owner.followers.tell(aChange))));
});

test("a member that says it has left is not waited for", async () => {
  const owner = new Owner();
  const member = new Member();
  const talk = await member.connect(owner);
  owner.followers.left(owner.talks[0]!);
  talk.close("gone");
  assert.ok(await isSettled(owner.followers.tell(aChange)));
});
