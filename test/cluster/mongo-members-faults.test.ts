/**
 * Three members, each a process, on a replica set of three, under load from outside while they are killed, paused and cut
 * off in each direction, from each other and from MongoDB, and while its primary is killed. What any of them answered
 * must be true afterwards.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client, type Json } from "../support/client.ts";
import { Balancer } from "../support/members/balancer.ts";
import { adminToken, type MemberProcess, MemberProcesses } from "../support/members/member-processes.ts";
import { noMongod, startReplicaSet } from "../support/mongod/mongod.ts";
import { createAccount } from "../support/server.ts";
import { type Called, call } from "../support/wire/call.ts";

const rounds = Number(process.env.FAULT_ROUNDS ?? 1);
/** Longer than rights last and the wait for those that are cut off. */
const faultMs = 8_000;
const askMsMax = 30_000;
/** So long a client waits before it asks another member: it shall not wait for one that is paused. */
const writeMsMax = 2_500;
const countedMsMax = 60_000;
const cap = 12;
const scanLimit = 60;
const scanned = "scanned";
const limits = { burst: 10_000, per_minute: 100_000, per_day: 1_000_000 };

const set = await startReplicaSet(3);
after(() => set?.stop());
const skip = set ? false : noMongod;

/** Null when there was no answer. */
async function ask(url: string, options: object = {}, body: readonly string[] = []): Promise<Called | null> {
  const signal = AbortSignal.timeout(body.length > 0 ? writeMsMax : askMsMax);
  return call(url, { signal, ...options }, body).catch(() => null);
}

/** A link that is scanned everywhere, and what became of the scans. */
class Scanned {
  readonly slug: string;
  readonly id: string;
  sent = 0;
  led = 0;

  constructor({ slug, qr_id }: Json) {
    this.slug = slug;
    this.id = qr_id;
  }

  async scan({ address }: MemberProcess): Promise<Called | null> {
    this.sent++;
    const answer = await ask(`${address}/${this.slug}`);
    if (answer?.status === 302) this.led++;
    else
      assert.ok(answer === null || [410, 503].includes(answer.status), `${answer?.status} ${answer?.body}`);
    return answer;
  }
}

/** Targets are numbered; those of changes that nobody answered may or may not have come. */
class Changed extends Scanned {
  readonly #answered = new Set<number>();
  #sent = 0;
  #last = -1;

  async change({ address }: MemberProcess, key: string): Promise<void> {
    const n = this.#sent++;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const body = [JSON.stringify({ redirect_url: `https://example.com/${n}` })];
    const answer = await ask(`${address}/v1/qr-codes/${this.id}`, { method: "PATCH", headers }, body);
    if (answer?.status === 200) {
      this.#answered.add(n);
      this.#last = n;
    } else assert.ok(answer === null || answer.status === 503, `${answer?.status} ${answer?.body}`);
  }

  override async scan(member: MemberProcess): Promise<Called | null> {
    const last = this.#last;
    const answer = await super.scan(member);
    const target = Number(answer?.headers.location?.split("/").at(-1) ?? Number.NaN);
    const isOld = this.#answered.has(target) && target < last;
    assert.ok(!isOld, `led to target ${target} after ${last} was answered`);
    return answer;
  }
}

/** Creates of one account. */
class Created {
  readonly labels = new Set<string>();
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Repeated under one key until somebody answers. */
  async create(anyone: () => MemberProcess, isOver: () => boolean): Promise<void> {
    const label = randomUUID();
    const body = [JSON.stringify({ label, redirect_url: "https://example.com/" })];
    const headers = {
      ...{ "x-api-key": this.#key, "idempotency-key": randomUUID() },
      "content-type": "application/json",
    };
    while (!isOver()) {
      const answer = await ask(`${anyone().address}/v1/qr-codes`, { method: "POST", headers }, body);
      if (answer?.status === 201) this.labels.add(label);
      if (answer?.status === 201 || answer?.status === 402) return;
      assert.ok(answer === null || answer.status === 503, `${answer?.status} ${answer?.body}`);
      await pause(50);
    }
  }
}

async function allCodes(api: Client): Promise<Json[]> {
  const codes: Json[] = [];
  for (let token: string | null = ""; token !== null; ) {
    const { body } = await api.get(`/v1/qr-codes?page_size=100&page_token=${token}`, 200);
    codes.push(...body.items);
    token = body.next_page_token;
  }
  return codes;
}

test("what any member answered is true, whoever is killed, paused or cut off", { skip }, async () => {
  const cluster = await MemberProcesses.start(3, set!);
  const { members } = cluster;
  const { address } = members[0]!;
  const admin = new Client(address, { authorization: `Bearer ${adminToken}` });
  let turn = 0;
  const anyone = () => members[turn++ % members.length]!;

  async function underLoad(name: string, fault: () => Promise<void>): Promise<void> {
    const [wide, narrow] = [
      await createAccount(address, admin, { limits }),
      await createAccount(address, admin, { limits: { ...limits, qr_cap: cap } }),
    ];
    const changed = new Changed(await wide.api.createRendered({ label: scanned }));
    const limited = new Scanned(await wide.api.createRendered({ label: scanned, scan_limit: scanLimit }));
    const [many, few] = [new Created(wide.key), new Created(narrow.key)];
    let isOver = false;
    const repeat = async (step: () => Promise<unknown>, ms: number) => {
      for (; !isOver; await pause(ms)) await step();
    };
    // Whether or not others were answered: these wait in the socket of one that is paused.
    const steadily = async (step: () => Promise<unknown>, ms: number) => {
      const begun: Promise<unknown>[] = [];
      for (; !isOver; await pause(ms)) {
        const work = step();
        // Seen when the load is over.
        work.catch(() => undefined);
        begun.push(work);
      }
      await Promise.all(begun);
    };
    const load = Promise.all([
      ...members.map((member) => steadily(() => changed.scan(member), 50)),
      ...members.map((member) => repeat(() => limited.scan(member), 200)),
      repeat(() => changed.change(anyone(), wide.key), 50),
      repeat(() => many.create(anyone, () => isOver), 50),
      repeat(() => few.create(anyone, () => isOver), 50),
    ]);
    // Seen when the load is over.
    load.catch(() => undefined);
    try {
      await pause(1_000);
      await fault();
      await Promise.all(members.map((member) => member.untilReady()));
      await pause(500);
    } finally {
      isOver = true;
      await load;
    }

    assert.ok(changed.led > 0 && many.labels.size > 0, `${name}: the load did something`);
    const codes = (await allCodes(wide.api)).map(({ label }) => label).filter((label) => label !== scanned);
    assert.equal(new Set(codes).size, codes.length, `${name}: a create was done twice`);
    const lost = [...many.labels].filter((label) => !codes.includes(label));
    assert.deepEqual(lost, [], `${name}: lost`);
    const narrowCodes = await allCodes(narrow.api);
    assert.ok(few.labels.size <= narrowCodes.length && narrowCodes.length <= cap, `${name}: the cap`);

    const end = performance.now() + countedMsMax;
    while ((await limited.scan(anyone()))?.status !== 410) {
      assert.ok(performance.now() < end, `${name}: the limit is not reached`);
      await pause(20);
    }
    const countOf = async ({ id }: Scanned) =>
      (await wide.api.get(`/v1/qr-codes/${id}`, 200)).body.scan_count as number;
    const figures = async (link: Scanned) =>
      `${name}: led ${link.led}, counted ${await countOf(link)}, sent ${link.sent}`;
    assert.ok(limited.led <= scanLimit, await figures(limited));
    assert.equal(await countOf(limited), scanLimit, await figures(limited));
    while ((await countOf(changed)) < changed.led) {
      assert.ok(performance.now() < end, await figures(changed));
      await pause(100);
    }
    assert.ok((await countOf(changed)) <= changed.sent, await figures(changed));
  }

  for (let round = 0; round < rounds; round++) {
    const some = () => members[Math.floor(Math.random() * members.length)]!;
    await underLoad("killed", async () => {
      const member = some();
      await member.end("SIGKILL");
      await pause(faultMs);
      member.start();
    });
    await underLoad("paused", async () => {
      const { child } = some().service!;
      child.kill("SIGSTOP");
      await pause(faultMs);
      child.kill("SIGCONT");
    });
    for (const from of ["members", "database"] as const) {
      for (const lost of ["said", "told"] as const) {
        await underLoad(
          `what it ${lost === "said" ? "says to" : "hears of"} the ${from} is lost`,
          async () => {
            const member = some();
            cluster.cut(member, from, lost);
            await pause(faultMs);
            cluster.heal(member);
          },
        );
      }
    }
    await underLoad("primary killed", async () => {
      const primary = await set!.primary();
      await primary.kill();
      await pause(faultMs);
      await primary.start();
    });
  }
});

test("each member is stopped and started again under load, and no request fails", { skip }, async () => {
  const { members } = await MemberProcesses.start(3, set!);
  const balancer = new Balancer<MemberProcess>();
  balancer.members.push(...members);
  const { address } = members[0]!;
  const admin = new Client(address, { authorization: `Bearer ${adminToken}` });
  const { key, api } = await createAccount(address, admin, { limits });
  const plain = await api.createRendered();
  const limited = await api.createRendered({ scan_limit: 1_000_000 });
  const headers = { "x-api-key": key, "content-type": "application/json" };

  let isOver = false;
  const scans = { plain: 0, limited: 0 };
  const scanAll = async (of: keyof typeof scans, slug: string) => {
    for (; !isOver; scans[of]++) {
      const { status, body } = await balancer.send(`/${slug}`);
      assert.equal(status, 302, body);
    }
  };
  const change = async () => {
    for (let n = 0; !isOver; n++, scans.plain++) {
      const redirect_url = `https://example.com/${n}`;
      const path = `/v1/qr-codes/${plain.qr_id}`;
      const body = [JSON.stringify({ redirect_url })];
      const { status, body: told } = await balancer.send(path, { method: "PATCH", headers }, body);
      assert.equal(status, 200, told);
      assert.equal((await balancer.send(`/${plain.slug}`)).headers.location, redirect_url);
    }
  };
  const load = Promise.all([scanAll("plain", plain.slug), scanAll("limited", limited.slug), change()]);
  load.catch(() => {
    isOver = true;
  });
  for (const member of members) {
    if (isOver) break;
    assert.equal(await member.end("SIGTERM"), 0, member.service!.errors());
    member.start();
    await member.untilReady();
  }
  isOver = true;
  await load;
  const countOf = async ({ qr_id }: Json) => (await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.scan_count;
  assert.equal(await countOf(limited), scans.limited);
  for (const end = performance.now() + countedMsMax; (await countOf(plain)) < scans.plain; ) {
    assert.ok(performance.now() < end, `answered ${scans.plain}, counted ${await countOf(plain)}`);
    await pause(100);
  }
  assert.equal(await countOf(plain), scans.plain);
});
