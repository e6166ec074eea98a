/**
 * What a page costs, on the store that the lists are answered from. Times are noisy where cores are shared, so
 * the two sizes are measured in turns, medians are compared, and a disturbed measurement may be repeated.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CodeStatus, CodeType } from "../../../src/domain/documents.ts";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import type { CodeQuery } from "../../../src/store/store.ts";
import { numbered, putCode, sampleCode } from "../../fakes/sample-documents.ts";
import { temporaryFolder } from "../../support/endings.ts";

const large = { account: "acc_large", codes: 100_000 };
const small = { account: "acc_small", codes: 1_000 };
const statuses: CodeStatus[] = ["active", "archived", "blocked"];
const types: CodeType[] = ["url", "dynamic_url", "text"];
const batch = 5_000;
const attempts = 5;

const store = await openLmdbStore({ path: temporaryFolder(), assertDocument });
await fill(small, 0);
await fill(large, small.codes);
after(() => store.close());

async function fill({ account, codes }: typeof large, firstId: number): Promise<void> {
  for (let from = 0; from < codes; from += batch) {
    const writes = Array.from({ length: Math.min(batch, codes - from) }, (_, offset) => {
      const at = from + offset;
      const id = numbered("qr", firstId + at);
      return putCode(
        sampleCode({
          id,
          account_id: account,
          slug: `qr-${id}`,
          project_id: `prj_${at % 2}`,
          status: statuses[at % 3]!,
          type: types[Math.floor(at / 3) % 3]!,
          label: `Table ${at}`,
        }),
      );
    });
    await store.commit(writes);
  }
}

const everything = { project_id: null, statuses, type: null, label_contains: null, before: null, limit: 100 };
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timeOf(account: string, filters: Partial<CodeQuery>): Promise<number> {
  const began = performance.now();
  const { items } = await store.listCodes({ ...everything, account_id: account, ...filters });
  const ms = performance.now() - began;
  assert.equal(items.length, 100);
  return ms;
}

async function ratioOf(filters: Partial<CodeQuery>): Promise<number> {
  const times = { large: [] as number[], small: [] as number[] };
  for (let round = 0; round < 60; round++) {
    times.large.push(await timeOf(large.account, filters));
    times.small.push(await timeOf(small.account, filters));
  }
  return median(times.large) / median(times.small);
}

/** The first measurement that is good enough, or the best of all. */
async function best(measure: () => Promise<number>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > enough; attempt++)
    least = Math.min(least, await measure());
  return least;
}

const filters: Record<string, Partial<CodeQuery>> = {
  nothing: {},
  project: { project_id: "prj_1" },
  status: { statuses: ["archived"] },
  "two statuses": { statuses: ["active", "blocked"] },
  type: { type: "text" },
  "project and type": { project_id: "prj_1", type: "text", statuses },
};

for (const [name, filter] of Object.entries(filters)) {
  test(`a page filtered by ${name} costs the same out of 100,000 codes as out of 1,000`, async () => {
    const enough = 3;
    const ratio = await best(() => ratioOf(filter), enough);
    assert.ok(ratio <= enough, `${ratio.toFixed(2)} times as much`);
  });
}

test("a page from the middle of the list costs what the first page does", async () => {
  const measure = async () => {
    const first: number[] = [];
    const middle: number[] = [];
    const before = numbered("qr", small.codes + large.codes / 2);
    for (let round = 0; round < 60; round++) {
      first.push(await timeOf(large.account, { statuses: ["active"] }));
      middle.push(await timeOf(large.account, { statuses: ["active"], before }));
    }
    return median(middle) / median(first);
  };
  const ratio = await best(measure, 3);
  assert.ok(ratio <= 3, `${ratio.toFixed(2)} times as much`);
});

/** The most that one turn of the loop computes while the work goes on; waiting for a core does not count. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isRunning = true;
  let last = process.cpuUsage();
  const beat = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
    if (isRunning) setImmediate(beat);
  };
  setImmediate(beat);
  await work();
  // The turn in which the work ended counts too, and is over with the next beat.
  await nextTurn();
  isRunning = false;
  return longest;
}

const turnMsMax = 10;

for (const atOnce of [1, 10]) {
  test(`${atOnce} at once that search 100,000 labels in vain never hold the loop for ${turnMsMax} ms`, async () => {
    const query = { ...everything, account_id: large.account, label_contains: "no such label" };
    const search = async () => assert.deepEqual((await store.listCodes(query)).items, []);
    const measure = () => longestTurn(() => Promise.all(Array.from({ length: atOnce }, search)));
    await search();
    const longest = await best(measure, turnMsMax);
    assert.ok(longest <= turnMsMax, `${longest.toFixed(1)} ms`);
  });
}

test("a hundred pages of 100 codes that are asked for at once take many turns of the loop", async () => {
  // Some turns are far longer than the share, about 12 ms; all in one turn are about 190 ms.
  const enough = 50;
  const list = () => timeOf(large.account, {});
  const measure = () => longestTurn(() => Promise.all(Array.from({ length: 100 }, list)));
  await list();
  const longest = await best(measure, enough);
  assert.ok(longest <= enough, `${longest.toFixed(1)} ms`);
});
