import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Changed } from "../../src/cluster/bus/messages.ts";
import { changedBy, tellingStore } from "../../src/cluster/telling-store.ts";
import { type Store, StoreUnavailable, type Write } from "../../src/store/store.ts";
import { putAccount, putCode, sampleAccount, sampleCode, sampleProject } from "../fakes/sample-documents.ts";

const code = sampleCode({});
const writes: Write[] = [putCode(code)];

function telling() {
  const events: string[] = [];
  const state = { isAway: false, isDeaf: false, hold: Promise.resolve() };
  const check = (what: string) => {
    events.push(what);
    if (state.isAway) throw new StoreUnavailable("away");
  };
  const store = {
    commit: async () => check("commit"),
    ping: async () => check("ping"),
    get: async () => {
      check("get");
      return sampleAccount({ timezone: "Europe/Berlin" });
    },
    saveScans: async () => check("save"),
    scanCount: async () => {
      check("count");
      return 0;
    },
  } as unknown as Store;
  const told: Changed[] = [];
  const tell = async (changed: Changed) => {
    await state.hold;
    if (state.isDeaf) throw new StoreUnavailable("nobody could be told");
    events.push("told");
    told.push(changed);
  };
  return { ...tellingStore(store, tell), events, state, told };
}

test("what scans can see is told: links, those with a limit, projects, accounts with their zone", () => {
  const limited = sampleCode({ id: "qr_2", slug: "bbbbbbb", scan_limit: 3 });
  const project = sampleProject({});
  const account = sampleAccount({ timezone: "Asia/Tokyo" });
  const all: Write[] = [
    putCode(code),
    putCode(limited),
    { collection: "projects", put: project },
    putAccount(account),
  ];
  assert.deepEqual(changedBy(all), {
    slugs: [code.slug, "bbbbbbb"],
    limited: ["bbbbbbb"],
    projects: [project.id],
    accounts: [[account.id, "Asia/Tokyo"]],
  });
  assert.equal(changedBy([{ collection: "answers", remove: "x" }]), null);
});

test("a commit is over when it was told, and told when it is stored", async () => {
  const { store, events, state } = telling();
  let release = () => {};
  state.hold = new Promise((resolve) => {
    release = resolve;
  });
  let isOver = false;
  const commit = store.commit(writes).then(() => {
    isOver = true;
  });
  await turn();
  assert.deepEqual([events, isOver], [["commit"], false]);
  release();
  await commit;
  assert.deepEqual(events, ["commit", "told"]);
});

test("what a failed commit may have changed is settled and told before anything else is asked", async () => {
  const { store, events, state, told } = telling();
  state.isAway = true;
  await assert.rejects(store.commit([...writes, putAccount(sampleAccount({}))]), StoreUnavailable);
  await assert.rejects(async () => store.scanCount("x"), StoreUnavailable);
  assert.deepEqual(events, ["commit", "ping"], "it is not asked for anything while that is owed");
  state.isAway = false;
  events.length = 0;
  await Promise.all([store.scanCount("x"), store.scanCount("y")]);
  assert.deepEqual(events, ["ping", "get", "told", "count", "count"]);
  assert.deepEqual(told[0]!.slugs, [code.slug]);
  assert.deepEqual(
    told[0]!.accounts.map(([, zone]) => zone),
    ["Europe/Berlin"],
  );
  events.length = 0;
  await store.scanCount("x");
  assert.deepEqual(events, ["count"]);
});

test("what is stored and could not be told is told before anything else is asked", async () => {
  const { store, events, state, told, settled } = telling();
  state.isDeaf = true;
  await assert.rejects(store.commit(writes), StoreUnavailable);
  await assert.rejects(async () => store.scanCount("x"), StoreUnavailable, "nor is what it changed read");
  assert.ok(!events.includes("count"));
  await assert.rejects(settled()!, StoreUnavailable, "the accounts cannot be given away");
  state.isDeaf = false;
  await store.scanCount("x");
  assert.deepEqual(events.slice(-3), ["ping", "told", "count"]);
  assert.deepEqual(told[0]!.slugs, [code.slug]);
  assert.equal(settled(), null);
});

test("counts are saved whatever is owed, and limits are not", async () => {
  const { store, events, state } = telling();
  state.isDeaf = true;
  await assert.rejects(store.commit(writes), StoreUnavailable);
  await store.saveScans([], "member");
  assert.equal(events.at(-1), "save");
  await assert.rejects(store.saveScans([], "owner"), StoreUnavailable);
});
