/** Few searches at a time, accounts in turn, boundedly many waiting. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { FairTurns, type TurnBounds } from "../../src/account/fair-turns.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { Cancelled } from "../../src/store/store.ts";

/** Searches that end when the test says so. */
class Searches {
  readonly turns: FairTurns;
  /** In the order in which they began. */
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly cancelled: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly #all: Promise<void>[] = [];

  constructor(bounds: TurnBounds) {
    this.turns = new FairTurns(bounds);
  }

  /** The account is the first letter of the name. */
  ask(name: string): AbortController {
    const controller = new AbortController();
    const search = () => {
      this.begun.push(name);
      return new Promise<void>((end) => this.#ends.set(name, end));
    };
    const outcome = this.turns.run(name[0]!, controller.signal, search).catch((cause) => {
      if (cause instanceof Cancelled) this.cancelled.push(name);
      else if (cause instanceof ApiError && cause.code === "unavailable") {
        assert.equal(cause.retryAfter, 1);
        this.refused.push(name);
      } else throw cause;
    });
    this.#all.push(outcome);
    return controller;
  }

  get running(): string[] {
    return [...this.#ends.keys()];
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)!();
    this.#ends.delete(name);
    await nextTurn();
  }

  async endAll(): Promise<void> {
    for (await nextTurn(); this.running.length > 0; ) await this.end(this.running[0]!);
    await Promise.all(this.#all);
    assert.deepEqual([this.turns.running, this.turns.waiting], [0, 0]);
  }
}

test("an account has one search at a time, and all accounts together a few", async () => {
  const searches = new Searches({ atOnceMax: 2, waitingMax: 100 });
  for (const name of ["a1", "a2", "b1", "c1"]) searches.ask(name);
  await nextTurn();
  assert.deepEqual(searches.begun, ["a1", "b1"]);
  assert.deepEqual([searches.turns.running, searches.turns.waiting], [2, 2]);
  await searches.end("b1");
  assert.deepEqual(searches.begun, ["a1", "b1", "c1"], "a2 waits for a1");
  await searches.end("a1");
  assert.deepEqual(searches.begun, ["a1", "b1", "c1", "a2"]);
  await searches.endAll();
});

test("one search waits for one of each other account, however many those have", async () => {
  const searches = new Searches({ atOnceMax: 1, waitingMax: 100 });
  for (let n = 0; n < 30; n++) searches.ask(`a${n}`);
  for (let n = 0; n < 30; n++) searches.ask(`b${n}`);
  searches.ask("c");
  await searches.endAll();
  assert.deepEqual(searches.begun.slice(0, 5), ["a0", "b0", "c", "a1", "b1"]);
  assert.equal(searches.begun.length, 61);
});

test("a full queue refuses the youngest of the account that has most", async () => {
  const searches = new Searches({ atOnceMax: 1, waitingMax: 4 });
  for (const name of ["a0", "a1", "a2", "a3", "a4", "a5"]) searches.ask(name);
  await nextTurn();
  assert.deepEqual(searches.refused, ["a5"], "at the door");
  for (const name of ["b0", "c0", "b1"]) searches.ask(name);
  await nextTurn();
  assert.deepEqual(searches.refused, ["a5", "a4", "a3", "b1"], "with equal shares the newcomer is refused");
  await searches.endAll();
  assert.deepEqual(searches.begun, ["a0", "b0", "c0", "a1", "a2"]);
});

test("a full queue does not keep out an account whose turn it is", async () => {
  const searches = new Searches({ atOnceMax: 2, waitingMax: 1 });
  for (const name of ["a0", "a1", "b0"]) searches.ask(name);
  await nextTurn();
  assert.deepEqual([searches.begun, searches.refused], [["a0", "b0"], []]);
  await searches.endAll();
});

test("a search that nobody wants leaves the queue at once and never begins", async () => {
  const searches = new Searches({ atOnceMax: 1, waitingMax: 2 });
  searches.ask("a0");
  const unwanted = searches.ask("a1");
  searches.ask("b0");
  unwanted.abort();
  assert.equal(searches.turns.waiting, 1);
  searches.ask("b1");
  await searches.endAll();
  assert.deepEqual([searches.cancelled, searches.refused], [["a1"], []]);
  assert.deepEqual(searches.begun, ["a0", "b0", "b1"]);
  await assert.rejects(
    searches.turns.run("a", AbortSignal.abort(), () => assert.fail("began")),
    Cancelled,
  );
});

test("a search that fails makes room for the next", async () => {
  const turns = new FairTurns({ atOnceMax: 1, waitingMax: 1 });
  const { signal } = new AbortController();
  const failing = turns.run("a", signal, () => Promise.reject(new Error("broken")));
  const next = turns.run("a", signal, () => Promise.resolve("found"));
  await assert.rejects(failing, /broken/);
  assert.equal(await next, "found");
});

test("whatever comes, leaves and ends in whatever order: the bounds hold and nobody is forgotten", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("ask" as const), account: fc.constantFrom(..."abcde") }),
    fc.record({ do: fc.constant("leave" as const), which: fc.nat(1_000) }),
    fc.record({ do: fc.constant("end" as const), which: fc.nat(1_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: "max" }), async (steps) => {
      const searches = new Searches({ atOnceMax: 3, waitingMax: 6 });
      const asked: AbortController[] = [];
      for (const [n, step] of steps.entries()) {
        if (step.do === "ask") asked.push(searches.ask(`${step.account}${n}`));
        else if (step.do === "leave") asked[step.which % asked.length]?.abort();
        else if (searches.running.length > 0) {
          await searches.end(searches.running[step.which % searches.running.length]!);
        }
        await nextTurn();
        const accounts = searches.running.map((name) => name[0]);
        assert.equal(new Set(accounts).size, accounts.length, "one an account");
        assert.equal(searches.turns.running, accounts.length);
        assert.ok(accounts.length <= 3 && searches.turns.waiting <= 6);
      }
      await searches.endAll();
      const { begun, refused, cancelled } = searches;
      assert.equal(begun.length + refused.length + cancelled.length, asked.length);
    }),
    { numRuns: 200 },
  );
});
