/** A request that a member handed on and that is late where it is decided, with real sockets and a database in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { rightMs } from "../../src/limits.ts";
import { scan, threeMembers } from "../support/members/three-members.ts";

for (const [place, who] of ["the keeper", "a deputy"].entries()) {
  test(`what was handed on is not done by ${who} when nobody may wait for it any more`, async () => {
    const { cluster, members, apis } = await threeMembers(place);
    const old = "https://example.com/old";
    const { qr_id, slug } = await apis[place]!.createRendered({ redirect_url: old });
    const path = `/v1/qr-codes/${qr_id}`;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const isReached = new Promise<void>((reached) => {
      cluster.before = (name, _member, [collection, id]) => {
        if (name !== "get" || collection !== "codes" || id !== qr_id) return undefined;
        reached();
        return held;
      };
    });
    const late = apis[2]!.patch(path, { redirect_url: "https://example.com/late" }, 503);
    await isReached;
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
