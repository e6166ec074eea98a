/** What is promised of a cluster beside redirects and limits: who is there, and until when figures are complete. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { partitionsMax, rightMs, unknownSavedMs } from "../../src/limits.ts";
import type { ClusterFields } from "../../src/schema/responses.ts";
import type { Client } from "../support/client.ts";
import { scan, threeMembers, until } from "../support/members/three-members.ts";

const statusAt = async (admin: Client) => (await admin.get("/admin/v1/cluster", 200)).body as ClusterFields;

test("any member tells who is there, and who is not any more", async () => {
  const { cluster, followers, admin, apis, members } = await threeMembers();
  const { enabled, members: seen } = await statusAt(admin);
  assert.equal(enabled, true);
  assert.deepEqual(
    seen.map(({ state, may_serve }) => [state, may_serve]),
    [
      ["owner", true],
      ["follower", true],
      ["follower", true],
    ],
  );
  for (const { partitions } of seen) assert.ok(partitions > 0, "each has a share of the accounts");
  assert.equal(
    seen.reduce((sum, { partitions }) => sum + partitions, 0),
    partitionsMax,
  );
  assert.equal(seen[0]!.address, cluster.addresses[0]);
  assert.deepEqual(new Set(seen.map(({ address }) => address)), new Set(cluster.addresses));
  assert.equal(new Set(seen.map(({ member }) => member)).size, 3);
  assert.equal(new Set(seen.map(({ name }) => name)).size, 3);
  for (const { confirmed_ms_ago } of seen) assert.ok(confirmed_ms_ago! < rightMs);
  const { slug } = await apis[0]!.createRendered();
  for (const member of members) await scan(member, slug);
  await followers[1]!.stop();
  await until("its leaving, and that its part is folded", async () => {
    const left = await statusAt(admin);
    assert.equal(left.awaited, 0, "it ended in order");
    return left.members.length === 2 && left.to_fold === 0;
  });
});

test("figures are complete up to the moment that they tell, whichever member counted", async () => {
  const { cluster, followers, apis, admin } = await threeMembers();
  const { slug } = await apis[0]!.createRendered({ analytics_enabled: true });
  const figures = async () => {
    const { body } = await apis[0]!.get("/v2/analytics/account/trend", 200);
    return { total: body.total as number, completeUntil: Date.parse(body.complete_until) };
  };
  const { members } = await statusAt(admin);
  const { member: slow } = members.find(({ address }) => address === cluster.addresses[2])!;
  let save = () => {};
  const held = new Promise<void>((resolve) => {
    save = resolve;
  });
  cluster.before = (name, member) => (name === "saveScans" && member === slow ? held : undefined);
  assert.equal((await scan(followers[1]!, slug)).status, 302);
  const scannedUntil = Date.now();
  for (const end = performance.now() + 2 * unknownSavedMs; performance.now() < end; await pause(20)) {
    const { total, completeUntil } = await figures();
    assert.equal(total, 0);
    assert.ok(completeUntil <= scannedUntil, "a member has not saved what it counted before");
  }
  save();
  const { total, completeUntil } = await until("that it is complete", async () => {
    const found = await figures();
    return found.completeUntil > scannedUntil && found;
  });
  assert.equal(total, 1);
  assert.ok(Date.now() - completeUntil < 3 * unknownSavedMs, "it tells of a time that is not long ago");
});

test("what was asked through another member is given up when its client leaves", async () => {
  const { cluster, followers, account } = await threeMembers();
  let given: AbortSignal | null = null;
  cluster.before = (name, _member, [, signal]) => {
    if (name !== "listCodes" || signal === undefined) return undefined;
    const unwanted = signal as AbortSignal;
    given = unwanted;
    return new Promise((resolve) => unwanted.addEventListener("abort", () => resolve()));
  };
  const { hostname, port } = new URL(followers[0]!.address);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /v1/qr-codes?label_contains=nothing HTTP/1.1\r\nhost: x\r\nx-api-key: ${account.key}\r\n\r\n`,
  );
  await until("the search", async () => given !== null);
  assert.ok(!given!.aborted);
  socket.destroy();
  await until("that it is given up", async () => given!.aborted);
});
