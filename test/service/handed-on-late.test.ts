/** A request that a member handed on and that is late where it is decided, with real sockets and a database in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { rightMs } from "../../src/limits.ts";
import type { MemoryCluster } from "../support/members/members.ts";
import { scan, threeMembers } from "../support/members/three-members.ts";

/** The first call that is meant waits in the database until `letGo` is called. */
function holding(cluster: MemoryCluster, isMeant: (name: string, given: readonly unknown[]) => boolean) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    cluster.before = (name, _member, given) => {
      if (!isMeant(name, given)) return undefined;
      resolve();
      return held;
    };
  });
  return { letGo, reached };
}

for (const [place, who] of ["the keeper", "a deputy"].entries()) {
  test(`what was handed on is not done by ${who} when nobody may wait for it any more`, async () => {
    const { cluster, members, apis } = await threeMembers(place);
    const old = "https://example.com/old";
    const { qr_id, slug } = await apis[place]!.createRendered({ redirect_url: old });
    const path = `/v1/qr-codes/${qr_id}`;
    const { letGo, reached } = holding(
      cluster,
      (name, [collection, id]) => name === "get" && collection === "codes" && id === qr_id,
    );
    const late = apis[2]!.patch(path, { redirect_url: "https://example.com/late" }, 503);
    await reached;
    // What it counts from was before.
    await pause(rightMs);
    letGo();
    assert.match((await late).body.message, /not done/);
    cluster.before = () => undefined;
    for (const member of members) assert.equal((await scan(member, slug)).headers.location, old);
    for (const api of apis) assert.equal((await api.get(path, 200)).body.redirect_url, old);
    const next = "https://example.com/next";
    await apis[2]!.patch(path, { redirect_url: next }, 200);
    for (const member of members) assert.equal((await scan(member, slug)).headers.location, next);
  });
}

test("nor are people changed for a request that nobody may wait for any more", async () => {
  const { cluster, account, admin } = await threeMembers();
  const users = `/admin/v1/accounts/${account.id}/users`;
  const emails = async () =>
    (await admin.get(users, 200)).body.items.map(({ email }: { email: string }) => email);
  const before = await emails();
  const { letGo, reached } = holding(cluster, (name) => name === "userByEmail");
  const late = admin.post(users, { email: "late@example.com", role: "member" }, 503);
  await reached;
  await pause(rightMs);
  letGo();
  assert.match((await late).body.message, /not done/);
  cluster.before = () => undefined;
  assert.deepEqual(await emails(), before);
  await admin.post(users, { email: "late@example.com", role: "member" }, 201);
  assert.deepEqual(await emails(), [...before, "late@example.com"]);
});
