import assert from "node:assert/strict";
import { test } from "node:test";
import { type CommitOwner, GroupCommit } from "../../src/account/group-commit.ts";
import type { ProjectDoc, Write } from "../../src/domain/documents.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { putProject, sampleProject } from "../fakes/sample-documents.ts";

const project = (id: string, name: string) => putProject(sampleProject({ id, name }));

/** A store that keeps batches until they are let through, one by one. */
function gatedStore() {
  const batches: { writes: readonly Write[]; pass(): void; fail(cause: Error): void }[] = [];
  return {
    batches,
    commit: (writes: readonly Write[]) =>
      new Promise<void>((pass, fail) => {
        batches.push({ writes, pass, fail });
      }),
    async next() {
      while (batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
      return batches.shift()!;
    },
  };
}

class Owner implements CommitOwner {
  committedWrites: Write[] = [];
  failedWrites: Write[] = [];
  committed(writes: Iterable<Write>): void {
    this.committedWrites.push(...writes);
  }
  commitFailed(writes: Iterable<Write>): void {
    this.failedWrites.push(...writes);
  }
}

const quiet = { committed() {}, failed() {} };

test("what is submitted while a commit runs shares the next one, and repeated writes coalesce", async () => {
  const store = gatedStore();
  const commits = new GroupCommit(store, quiet);
  const [a, b] = [new Owner(), new Owner()];
  const first = commits.submit(a, [project("p1", "one")]);
  const running = await store.next();
  const second = commits.submit(a, [project("p1", "two")]);
  commits.submit(a, [project("p1", "three")]);
  const third = commits.submit(b, [project("p2", "other")]);
  running.pass();
  await first;
  const next = await store.next();
  assert.deepEqual(
    next.writes.map((write) => "put" in write && (write.put as ProjectDoc).name),
    ["three", "other"],
  );
  next.pass();
  await Promise.all([second, third]);
  await commits.drained();
});

test("owners learn of the commit before their answers are released", async () => {
  const store = gatedStore();
  const commits = new GroupCommit(store, quiet);
  const owner = new Owner();
  const seen: number[] = [];
  const durable = commits
    .submit(owner, [project("p1", "one")])
    .then(() => seen.push(owner.committedWrites.length));
  (await store.next()).pass();
  await durable;
  assert.deepEqual(seen, [1]);
});

test("a failed commit takes the owner's next writes with it, and nobody else's", async () => {
  const store = gatedStore();
  const commits = new GroupCommit(store, quiet);
  const [a, b] = [new Owner(), new Owner()];
  const first = commits.submit(a, [project("p1", "one")]);
  const running = await store.next();
  const doomed = commits.submit(a, [project("p1", "two")]);
  const other = commits.submit(b, [project("p2", "fine")]);
  running.fail(new StoreUnavailable("away"));
  await assert.rejects(first, StoreUnavailable);
  await assert.rejects(doomed, StoreUnavailable);
  assert.equal(a.failedWrites.length, 2);
  const next = await store.next();
  assert.equal(next.writes.length, 1);
  next.pass();
  await other;
  assert.equal(b.failedWrites.length, 0);
});

test("a batch that is refused for its contents fails only the owner of the bad write", async () => {
  const failures: unknown[] = [];
  const store = {
    async commit(writes: readonly Write[]): Promise<void> {
      if (writes.some((write) => "put" in write && write.put.id === "bad")) throw new Error("bad document");
    },
  };
  const commits = new GroupCommit(store, { committed() {}, failed: (cause) => failures.push(cause) });
  const [good, bad] = [new Owner(), new Owner()];
  const fine = commits.submit(good, [project("good", "x")]);
  const doomed = commits.submit(bad, [project("bad", "x")]);
  await fine;
  await assert.rejects(doomed, /bad document/);
  assert.equal(good.committedWrites.length, 1);
  assert.equal(bad.failedWrites.length, 1);
  assert.equal(failures.length, 1);
});
