/** Three members that are ready, an account, and a client of it at each. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { moveLookMs, partitionsMax } from "../../../src/limits.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
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

const accountsMax = 100;

/** When each of them decides for a share of the accounts, one for each account, and nothing moves any more. */
export function sharedOut(admin: Client, members: number): Promise<true> {
  let before = "";
  return until("a share for each", async () => {
    const { body } = await admin.get("/admin/v1/cluster", 200);
    const shares: number[] = body.members.map(({ partitions }: { partitions: number }) => partitions);
    const isWhole = shares.reduce((sum, share) => sum + share, 0) === partitionsMax;
    const isStill = before === String(shares);
    before = String(shares);
    if (shares.length === members && Math.min(...shares) > 0 && isWhole && isStill) return true;
    await pause(3 * moveLookMs);
    return false;
  });
}

/** An account for which this one of the members decides, by the order in which they were started. */
async function accountAt(place: number, cluster: MemoryCluster, admin: Client, address: string) {
  const { body } = await admin.get("/admin/v1/cluster", 200);
  const numbers = new Map<string, number>(
    body.members.map((seen: { address: string; member: number }) => [seen.address, seen.member]),
  );
  let decided: number | null = null;
  cluster.before = (name, member) => {
    if (name === "commit") decided = member;
    return undefined;
  };
  for (let tries = 0; tries < accountsMax; tries++) {
    const account = await createAccount(address, admin, {});
    if (decided !== numbers.get(cluster.addresses[place]!)) continue;
    cluster.before = () => undefined;
    return account;
  }
  throw new Error("the member decides for no account");
}

/** `place`: of the one that decides for the account; the first is the keeper. */
export async function threeMembers(place = 0, clock = systemClock) {
  const cluster = new MemoryCluster();
  cluster.clock = clock;
  const members = [await cluster.start(), await cluster.start(), await cluster.start()] as const;
  await allReady(members);
  const [owner, ...followers] = members;
  assert.deepEqual(
    members.map((member) => member.isOwner()),
    [true, false, false],
  );
  // Through a member that does not own: the operator's requests are handed on as all others.
  const admin = new Client(followers[0]!.address, { authorization: `Bearer ${adminToken}` });
  await sharedOut(admin, members.length);
  const account = await accountAt(place, cluster, admin, followers[0]!.address);
  const apis = members.map(({ address }) => new Client(address, { "x-api-key": account.key }));
  return { cluster, members, owner, followers, account, apis, admin };
}

export const scan = (member: Service, slug: string) => call(`${member.address}/${slug}`);
