/** Three members that are ready, an account, and a client of it at each. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Service } from "../../../src/service/shared.ts";
import { Client } from "../client.ts";
import { createAccount } from "../server.ts";
import { call } from "../wire/call.ts";
import { adminToken, MemoryCluster } from "./members.ts";

const waitMsMax = 30_000;

export async function until<T>(what: string, look: () => Promise<T | false | null>): Promise<T> {
  const end = performance.now() + waitMsMax;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(performance.now() < end, `${what} did not come in time`);
    await pause(20);
  }
}

const statusOf = async (url: string) => (await call(url).catch(() => ({ status: 0 }))).status;

export async function allReady(members: readonly Service[]): Promise<void> {
  for (const { address } of members) {
    await until("readiness", async () => (await statusOf(`${address}/readyz`)) === 200);
  }
}

export async function threeMembers() {
  const cluster = new MemoryCluster();
  const members = [await cluster.start(), await cluster.start(), await cluster.start()] as const;
  await allReady(members);
  const [owner, ...followers] = members;
  assert.deepEqual(
    members.map((member) => member.isOwner()),
    [true, false, false],
  );
  // Through a member that does not own: the operator's requests are handed on as all others.
  const admin = new Client(followers[0]!.address, { authorization: `Bearer ${adminToken}` });
  const account = await createAccount(followers[0]!.address, admin, {});
  const apis = members.map(({ address }) => new Client(address, { "x-api-key": account.key }));
  return { cluster, members, owner, followers, account, apis, admin };
}

export const scan = (member: Service, slug: string) => call(`${member.address}/${slug}`);
