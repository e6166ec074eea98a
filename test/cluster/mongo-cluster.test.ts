/** Three processes of the service that all serve, on one MongoDB, killed and paused. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { adminToken, type MemberProcess, MemberProcesses } from "../support/members/member-processes.ts";
import { Created, Metered } from "../support/members/outside.ts";
import { databaseUrl, mongodForTests, noMongod } from "../support/mongod/mongod.ts";
import { createAccount } from "../support/server.ts";

const waitMsMax = 60_000;
/** A server or a process that stands still for a second makes members refuse. */
const patienceMs = 30_000;

const server = await mongodForTests();
after(() => server?.stop());
const skip = server ? false : noMongod;

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + waitMsMax;
  while (!(await look().catch(() => false))) {
    assert.ok(performance.now() < end, `${what} did not come in time`);
    await pause(50);
  }
}

async function scan(
  { address }: MemberProcess,
  slug: string,
): Promise<{ status: number; target: string | null }> {
  const { status, headers } = await fetch(`${address}/${slug}`, { redirect: "manual" });
  return { status, target: headers.get("location") };
}

async function threeMembers(database: string) {
  const { members } = await MemberProcesses.start(3, {
    url: databaseUrl(server!.url, database),
    members: [],
  });
  const admin = new Client(members[2]!.address, { authorization: `Bearer ${adminToken}` }, patienceMs);
  const { key } = await createAccount(members[2]!.address, admin, {});
  const apis = members.map(({ address }) => new Client(address, { "x-api-key": key }, patienceMs));
  const { slug, qr_id } = await apis[1]!.createRendered();
  return { members, admin, apis, slug, qr_id };
}

describe("members that all serve", { skip }, () => {
  test("a change at one is seen by the next scan at all, and a limit is used up exactly", async () => {
    const { members, apis, slug, qr_id } = await threeMembers("cluster_changes");
    for (let round = 0; round < 20; round++) {
      const redirect_url = `https://example.com/${round}`;
      await apis[round % 3]!.patch(`/v1/qr-codes/${qr_id}`, { redirect_url }, 200);
      const found = await Promise.all(members.map((member) => scan(member, slug)));
      assert.deepEqual(
        found.map(({ target }) => target),
        members.map(() => redirect_url),
      );
    }
    const limited = await apis[0]!.createRendered({ scan_limit: 25 });
    const scans = Array.from({ length: 90 }, (_, n) => scan(members[n % 3]!, limited.slug));
    const led = (await Promise.all(scans)).filter(({ status }) => status === 302);
    assert.equal(led.length, 25);
    await until(
      "the count",
      async () => (await apis[1]!.get(`/v1/qr-codes/${qr_id}`)).body.scan_count === 60,
    );
  });

  test("what a key may ask, and an account may have, is used up exactly by requests at all of them at once", async () => {
    const { members, admin } = await threeMembers("cluster_windows");
    const { address } = members[0]!;
    const windows = { burst: 20, per_minute: 45, per_day: 1_000 };
    const metered = new Metered((await createAccount(address, admin, { limits: windows })).key, windows);
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 60 }, (_, n) => metered.ask(members[n % 3]!)));
      await pause(500);
    }
    metered.assertFull();

    const cap = 10;
    const wide = { burst: 1_000, per_minute: 10_000, per_day: 100_000 };
    const { key, api } = await createAccount(address, admin, { limits: { ...wide, qr_cap: cap } });
    const codes = new Created(key);
    const made = Array.from({ length: 3 * cap }, (_, n) => codes.create(() => members[n % 3]!));
    assert.equal((await Promise.all(made)).filter((isMade) => isMade).length, cap);
    await codes.areThere(api);
    assert.equal((await api.allCodes()).length, cap);
  });

  test("changes go on when members are killed and paused, and a paused one serves no old target", async () => {
    const { members, apis, slug, qr_id } = await threeMembers("cluster_pauses");
    // The one that is gone may have been the one that decides: its accounts go to another then.
    const change = (redirect_url: string) =>
      until(
        "a change",
        async () => (await apis[0]!.patch(`/v1/qr-codes/${qr_id}`, { redirect_url })).status === 200,
      );
    members[2]!.service!.child.kill("SIGKILL");
    await change("https://example.com/killed");
    assert.equal((await scan(members[1]!, slug)).target, "https://example.com/killed");
    members[1]!.service!.child.kill("SIGSTOP");
    await change("https://example.com/paused");
    members[1]!.service!.child.kill("SIGCONT");
    for (let n = 0; n < 50; n++) {
      const { status, target } = await scan(members[1]!, slug);
      assert.ok(status === 503 || target === "https://example.com/paused", `${status} ${target}`);
      await pause(20);
    }
    await members[1]!.untilReady();
  });

  test("when the owner is killed another one owns, and when it is back every scan is counted once", async () => {
    const { members, apis, slug, qr_id } = await threeMembers("cluster_owner");
    for (let n = 0; n < 30; n++) assert.equal((await scan(members[n % 3]!, slug)).status, 302);
    await until(
      "the count",
      async () => (await apis[1]!.get(`/v1/qr-codes/${qr_id}`)).body.scan_count === 30,
    );
    await members[0]!.end("SIGKILL");
    const redirect_url = "https://example.com/next";
    await until("a change", async () => {
      return (await apis[1]!.patch(`/v1/qr-codes/${qr_id}`, { redirect_url })).status === 200;
    });
    for (const member of members.slice(1)) {
      await member.untilReady();
      assert.equal((await scan(member, slug)).target, redirect_url);
    }
    // Scans that it had counted but not saved are in its own journal until it is back.
    members[0]!.start();
    await members[0]!.untilReady();
    await until(
      "the count",
      async () => (await apis[2]!.get(`/v1/qr-codes/${qr_id}`)).body.scan_count === 32,
    );
  });
});
