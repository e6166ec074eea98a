/** The codes that were scanned most: the same as by looking at every scan, and with the total of all views. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { bestCodes } from "../../src/dashboard-api/top-codes.ts";
import type { SeenScans } from "../../src/domain/analytics/link-scans.ts";
import { type AnalyticsQuery, robotChoices } from "../../src/domain/analytics/range.ts";
import { hourMs } from "../../src/domain/analytics/zone.ts";
import { codeStatuses } from "../../src/domain/documents.ts";
import { rankedCodesPage } from "../../src/limits.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import { openLmdbStore } from "../../src/store/lmdb/lmdb-store.ts";
import { Cancelled } from "../../src/store/store.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { numbered, putCode, sampleCode, savedCount } from "../fakes/sample-documents.ts";
import { assertRefused, type Json } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { makePeople } from "../support/pages/people-world.ts";
import { scan, scansSaved } from "../support/scanning.ts";

const codes = 2 * rankedCodesPage + 500;
const firstHour = 1_760_000_400_000 - (1_760_000_400_000 % hourMs);
const hours = 200;
const accountId = "acc_1";
const wanted = new AbortController().signal;

interface Scanned {
  id: string;
  slug: string;
  project: string;
  seen: SeenScans[];
}

const all = fc.sample(
  fc.record({
    status: fc.constantFrom(...codeStatuses),
    project: fc.constantFrom("prj_1", "prj_2"),
    // Few have many, most have the same few.
    seen: fc.array(
      fc.record({
        hour: fc.nat(hours - 1).map((hour) => firstHour + hour * hourMs),
        isRobot: fc.boolean(),
        scans: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 30 })),
      }),
      { maxLength: 8 },
    ),
    off: fc.nat(5),
  }),
  { numRuns: codes, seed: 1 },
);

const store = await openLmdbStore({ path: temporaryFolder(), assertDocument });
after(() => store.close());

const scanned: Scanned[] = all.map(({ project, seen }, n) => ({
  id: numbered("qr", n),
  slug: `slug-${n}`,
  project,
  seen: seen.map((some) => ({ ...some, country: "DE", device: "ios", referrer: "direct" })),
}));
await store.commit(
  scanned.map(({ id, slug, project }, n) =>
    putCode(sampleCode({ id, slug, account_id: accountId, project_id: project, status: all[n]!.status })),
  ),
);
await store.saveScans(
  scanned.map(({ slug, project, seen }, n) => {
    const { off } = all[n]!;
    const count = sum(seen.map(({ scans }) => scans)) + off;
    return savedCount(slug, count, { seen, off, owner: { project_id: project, account_id: accountId } });
  }),
);
// Somebody else's, scanned more than all.
await store.commit([putCode(sampleCode({ id: "qr_other", slug: "other", account_id: "acc_2" }))]);
await store.saveScans([
  savedCount("other", 99_999, { otherwise: firstHour, owner: { project_id: "prj_3", account_id: "acc_2" } }),
]);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Every scan is looked at. */
function naiveBest({ range, robots, limit }: AnalyticsQuery, projectId: string | null) {
  const counts = ({ hour, isRobot }: SeenScans) =>
    hour >= range.from && hour < range.to && (robots === "include" || isRobot === (robots === "only"));
  return scanned
    .filter(({ project }) => projectId === null || project === projectId)
    .map(({ id, seen }) => ({ id, scans: sum(seen.filter(counts).map(({ scans }) => scans)) }))
    .filter(({ scans }) => scans > 0)
    .sort((a, b) => b.scans - a.scans || (a.id > b.id ? -1 : 1))
    .slice(0, limit);
}

const anyQuery: fc.Arbitrary<AnalyticsQuery> = fc.record({
  range: fc.tuple(fc.nat(hours), fc.nat(hours)).map(([a, b]) => ({
    from: firstHour + Math.min(a, b) * hourMs,
    to: firstHour + Math.max(a, b) * hourMs,
  })),
  isCut: fc.constant(false),
  timezone: fc.constant("UTC"),
  interval: fc.constant("day"),
  robots: fc.constantFrom(...robotChoices),
  limit: fc.constantFrom(1, 5, 10, 100),
});

/** Whose scans are asked for is counted. */
let ownersRead = 0;
const parts = {
  store: {
    countedCodes: store.countedCodes,
    scanDays: store.scanDays,
    scanHours: store.scanHours,
    scanTotals: store.scanTotals,
    scanSums: (...asked: Parameters<typeof store.scanSums>) => {
      ownersRead += asked[0].length;
      return store.scanSums(...asked);
    },
  },
  analytics: { completeUntil: 0, movesOf: async () => 0 },
};

test("of any range, of an account and of a project, they are those that looking at every scan finds", async () => {
  await fc.assert(
    fc.asyncProperty(anyQuery, fc.constantFrom(null, "prj_1", "prj_2"), async (query, projectId) => {
      const best = await bestCodes({ accountId, projectId, query, unwanted: wanted }, parts);
      assert.deepEqual(best, naiveBest(query, projectId));
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test("hours are read of few codes, where the range has most of what was ever scanned", async () => {
  const range = { from: firstHour, to: firstHour + hours * hourMs };
  const query: AnalyticsQuery = {
    ...{ range, isCut: false, timezone: "UTC", interval: "day" as const },
    ...{ robots: "include" as const, limit: 5 },
  };
  ownersRead = 0;
  await bestCodes({ accountId, projectId: null, query, unwanted: wanted }, parts);
  assert.ok(ownersRead > 5 && ownersRead < codes / 20, `${ownersRead} of ${codes}`);
});

test("nobody goes on ranking for somebody who has left", async () => {
  const [query] = fc.sample(anyQuery, { numRuns: 1, seed: 1 });
  const asked = { accountId, projectId: null, query: query!, unwanted: AbortSignal.abort() };
  await assert.rejects(bestCodes(asked, parts), Cancelled);
});

test("pages get them with labels, the rest, and the total of all views", async () => {
  const clock = new ManualClock();
  const { server, member } = await makePeople({ clock });
  const { api, account } = server;
  const project = (await api.post("/v1/projects", { name: "Summer" }, 201)).body.project_id;
  const made: Json[] = [];
  for (const [name, times] of [
    ["Menu", 3],
    ["Poster", 5],
    ["Flyer", 1],
    ["Unseen", 0],
  ] as const) {
    const code = await api.createRendered({ name, ...(name !== "Menu" && { project_id: project }) });
    await scan(server, code.slug, times);
    made.push(code);
  }
  await scan(server, made[2]!.slug, 3, { device: "robot" });
  await scansSaved(account, clock);
  await api.patch(`/v1/qr-codes/${made[1]!.qr_id}`, { status: "archived" }, 200);

  const named = async (path: string) => {
    const { items, total, other } = (await member.get(`/analytics/${path}`, 200)).body;
    return [...items.map(({ label, status, scans }: Json) => `${label} ${status} ${scans}`), other, total];
  };
  const [menu, poster] = ["Menu active 3", "Poster archived 5"];
  assert.deepEqual(await named("account/codes"), [poster, menu, "Flyer active 1", 0, 9]);
  assert.deepEqual(await named("account/codes?limit=2"), [poster, menu, 1, 9]);
  const withRobots = [poster, "Flyer active 4", menu, 0, 12];
  assert.deepEqual(await named("account/codes?robots=include"), withRobots);
  assert.deepEqual(await named(`projects/${project}/codes?limit=1`), [poster, 1, 6]);
  assert.deepEqual(await named("account/codes?from=2029-12-20&to=2030-01-01"), [0, 0]);

  for (const robots of robotChoices) {
    const of = async (path: string) => (await member.get(`${path}?robots=${robots}`, 200)).body;
    const told = await of("/analytics/account/codes");
    const { items, interval, ...trend } = await of("/v2/analytics/account/trend");
    assert.deepEqual(
      { ...told, items: 0, other: 0, request_id: 0 },
      { ...trend, items: 0, other: 0, request_id: 0 },
    );
  }
  assertRefused(await member.get("/analytics/account/codes?limit=0"), 400, "invalid_request", /^limit/);
  const unknown = await member.get("/analytics/projects/prj_00000000000000000000zz/codes");
  assertRefused(unknown, 404, "project_not_found");
});
