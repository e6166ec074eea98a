/** Members with real sockets, each stopped and started again under load; the database is in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { Balancer } from "../support/members/balancer.ts";
import { adminToken, MemoryCluster } from "../support/members/members.ts";
import { createAccount } from "../support/server.ts";
import type { Called } from "../support/wire/call.ts";

for (const size of [2, 3]) {
  test(`each of ${size} members is stopped and started again under load, and no request fails`, () =>
    restarted(size));
}

async function restarted(size: number): Promise<void> {
  const cluster = new MemoryCluster();
  const balancer = new Balancer();
  for (let n = 0; n < size; n++) balancer.members.push(await cluster.start());
  for (const member of balancer.members) await balancer.untilReady(member);
  const { address } = balancer.members[0]!;
  const admin = new Client(address, { authorization: `Bearer ${adminToken}` });
  const limits = { burst: 10_000, per_minute: 100_000, per_day: 1_000_000 };
  const account = await createAccount(address, admin, { limits });
  const api = new Client(address, { "x-api-key": account.key });
  const plain = await api.createRendered();
  const limited = await api.createRendered({ scan_limit: 1_000_000 });
  const headers = { "x-api-key": account.key, "content-type": "application/json" };

  let isOver = false;
  let limitedScans = 0;
  const statuses = new Map<string, number>();
  const note = (what: string, { status, body }: Called) => {
    // What a refusal says tells why.
    const told = status < 400 ? `${what} ${status}` : `${what} ${status} ${body}`;
    statuses.set(told, (statuses.get(told) ?? 0) + 1);
  };
  const load = (what: string, send: () => Promise<Called>, answered: (answer: Called) => void = () => {}) =>
    (async () => {
      while (!isOver) {
        const answer = await send();
        note(what, answer);
        answered(answer);
        await pause(5);
      }
    })();
  const change = async () => {
    for (let n = 0; !isOver; n++) {
      const redirect_url = `https://example.com/${n}`;
      const body = [JSON.stringify({ redirect_url })];
      const path = `/v1/qr-codes/${plain.qr_id}`;
      const changed = await balancer.send(path, { method: "PATCH", headers }, body);
      note("change", changed);
      assert.equal(changed.status, 200, changed.body);
      const { headers: told } = await balancer.send(`/${plain.slug}`);
      assert.equal(told.location, redirect_url, "the very next scan follows it, wherever it is taken");
    }
  };
  const work = Promise.all([
    load("scan", () => balancer.send(`/${plain.slug}`)),
    load("scan", () => balancer.send(`/${plain.slug}`)),
    load(
      "limited",
      () => balancer.send(`/${limited.slug}`),
      ({ status }) => {
        if (status === 302) limitedScans++;
      },
    ),
    load("list", () => balancer.send("/v1/qr-codes", { headers })),
    change(),
  ]);
  const restarts = async () => {
    for (let n = 0; n < 3; n++) {
      // The owner first, and whoever owns then.
      const at = Math.max(
        balancer.members.findIndex((member) => member.isOwner()),
        0,
      );
      await balancer.members[at]!.stop();
      balancer.members[at] = await cluster.start();
      await balancer.untilReady(balancer.members[at]!);
      await pause(200);
    }
    const follower = balancer.members.findIndex((member) => !member.isOwner());
    await balancer.members[follower]!.stop();
    balancer.members[follower] = await cluster.start();
    await balancer.untilReady(balancer.members[follower]!);
  };
  await Promise.race([restarts(), work]);
  isOver = true;
  await work;

  const good = new Set(["scan 302", "limited 302", "list 200", "change 200"]);
  for (const [what, times] of statuses) assert.ok(good.has(what), `${times} × ${what}`);
  assert.equal(statuses.size, good.size);
  const { status, body } = await balancer.send(`/v1/qr-codes/${limited.qr_id}`, { headers });
  assert.equal(status, 200, body);
  assert.equal(JSON.parse(body).scan_count, limitedScans, "each scan of a limit is counted once");
}
