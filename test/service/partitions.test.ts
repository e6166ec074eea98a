/** Members that share the accounts out among them, with real sockets and a database in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ackMsMax, handlerMsMax } from "../../src/limits.ts";
import { Client } from "../support/client.ts";
import { Balancer } from "../support/members/balancer.ts";
import { adminToken, MemoryCluster } from "../support/members/members.ts";
import { sharedOut } from "../support/members/three-members.ts";
import { createAccount } from "../support/server.ts";
import { Stalls } from "../support/stalls.ts";

const accountsMax = 8;
const rounds = 2;
const readMsMax = 20_000;

test("members come and go under load: each has its share, every change is seen at once by all, limits are exact", async () => {
  // All members are in this process: when it stands still for as long as they wait for each other's word, as it does beside
  // others that take the processor, each counts as lost to the others, and refuses until they have found each other again.
  // A question and its answer take three turns of the loop.
  const stalls = new Stalls(ackMsMax / 3);
  const isExcused = (status: number) => status === 503 && stalls.msSinceLast() < handlerMsMax;
  const cluster = new MemoryCluster();
  const balancer = new Balancer();
  const { members } = balancer;
  const adminAt = (at: number) => new Client(members[at]!.address, { authorization: `Bearer ${adminToken}` });
  const isSharedOut = () => sharedOut(adminAt(0), members.length);
  const join = async () => {
    const joined = await cluster.start();
    await balancer.untilReady(joined);
    members.push(joined);
    await isSharedOut();
  };
  await join();
  const { address } = members[0]!;
  const admin = adminAt(0);
  const limits = { burst: 10_000, per_minute: 100_000, per_day: 1_000_000 };
  const accounts = [];
  for (let n = 0; n < accountsMax; n++) {
    const account = await createAccount(address, admin, { limits });
    const api = new Client(address, { "x-api-key": account.key });
    const limited = await api.createRendered({ scan_limit: 1_000_000 });
    accounts.push({ account, plain: await api.createRendered(), limited, counted: 0, uncertain: 0 });
  }
  let isOver = false;
  let changes = 0;
  const work = accounts.map(async (code) => {
    const headers = { "x-api-key": code.account.key, "content-type": "application/json" };
    for (let n = 0; !isOver; n++) {
      const scanned = await balancer.send(`/${code.limited.slug}`);
      if (isExcused(scanned.status)) {
        code.uncertain++;
        continue;
      }
      assert.equal(scanned.status, 302, scanned.body);
      code.counted++;
      const redirect_url = `https://example.com/${n}`;
      const path = `/v1/qr-codes/${code.plain.qr_id}`;
      const body = [JSON.stringify({ redirect_url })];
      const changed = await balancer.send(path, { method: "PATCH", headers }, body);
      if (isExcused(changed.status)) continue;
      assert.equal(changed.status, 200, changed.body);
      changes++;
      for (const { status, headers: told, body: text } of await balancer.askAll(`/${code.plain.slug}`)) {
        if (isExcused(status)) continue;
        assert.equal(status, 302, text);
        assert.equal(told.location, redirect_url, "every scan after the answer follows it, at any member");
      }
    }
  });
  /** It is asked as long as it takes anything. */
  const leave = async (at: number) => {
    const leaving = members[at]!;
    await leaving.stop();
    members.splice(members.indexOf(leaving), 1);
    await isSharedOut();
  };
  const moves = async () => {
    await join();
    await join();
    for (let round = 0; round < rounds; round++) {
      // A deputy and the keeper in turns.
      await leave(round % 2 === 0 ? 1 : 0);
      await join();
    }
    await leave(1);
  };
  await Promise.race([moves(), Promise.all(work)]);
  isOver = true;
  await Promise.all(work);
  assert.ok(changes > 0);
  for (const { account, limited, counted, uncertain } of accounts) {
    for (const member of members) {
      const api = new Client(member.address, { "x-api-key": account.key });
      const end = performance.now() + readMsMax;
      let read = await api.get(`/v1/qr-codes/${limited.qr_id}`);
      for (; isExcused(read.status) && performance.now() < end; await pause(100)) {
        read = await api.get(`/v1/qr-codes/${limited.qr_id}`);
      }
      const { scan_count } = read.body;
      assert.ok(scan_count >= counted && scan_count <= counted + uncertain, `${read.text}, ${counted}`);
    }
  }
  const { body } = await adminAt(1).get("/admin/v1/accounts?page_size=100", 200);
  assert.ok(body.items.length >= accountsMax, "the operator sees the accounts of all members");
});
