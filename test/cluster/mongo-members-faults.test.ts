/**
 * Three members, each a process, on a replica set of three, under load from outside while they are killed, paused and cut
 * off: each from each other and from MongoDB, in each direction by itself, and while its primary is killed. What any of
 * them answered must be true afterwards, and what is left must serve again while a fault lasts.
 */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { Balancer } from "../support/members/balancer.ts";
import { adminToken, type MemberProcess, MemberProcesses } from "../support/members/member-processes.ts";
import { Changed, Created, Metered, Scanned } from "../support/members/outside.ts";
import { databaseUrl, type Member, noMongod, startReplicaSet } from "../support/mongod/mongod.ts";
import { createAccount } from "../support/server.ts";

const rounds = Number(process.env.FAULT_ROUNDS ?? 1);
/** Longer than rights last and the wait for those that are cut off. */
const faultMs = 6_000;
const servedMsMax = 60_000;
const countedMsMax = 60_000;
/** So that most members decide for one. */
const customers = 3;
const cap = 12;
const scanLimit = 60;
const limits = { burst: 10_000, per_minute: 100_000, per_day: 1_000_000 };
/** The minute is used up in twenty seconds. */
const meteredLimits = { burst: 5, per_minute: 100, per_day: 1_000_000 };

interface Fault {
  name: string;
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

const set = await startReplicaSet(3);
after(() => set?.stop());
const skip = set ? false : noMongod;

/** Of what is prepared before the load, and looked at after it. */
const patienceMs = 30_000;
const adminOf = ({ address }: MemberProcess) =>
  new Client(address, { authorization: `Bearer ${adminToken}` }, patienceMs);

/** Each of the faults is begun and ended under one load, on members of their own. */
async function underLoad(
  t: TestContext,
  database: string,
  faultsOf: (cluster: MemberProcesses) => readonly Fault[],
): Promise<void> {
  const { url, members: servers } = set!;
  const cluster = await MemberProcesses.start(3, { url: databaseUrl(url, database), members: servers });
  const { members } = cluster;
  const faults = faultsOf(cluster);
  let turn = 0;
  const anyone = () => members[turn++ % members.length]!;
  const { address } = members[0]!;
  const admin = adminOf(members[0]!);
  const newAccount = (own: object) => createAccount(address, admin, { limits: { ...limits, ...own } });

  const wide = await Promise.all(Array.from({ length: customers }, () => newAccount({})));
  const [creating, narrow, metering] = await Promise.all([
    newAccount({}),
    newAccount({ qr_cap: cap }),
    newAccount(meteredLimits),
  ]);
  const changed = await Promise.all(wide.map(async ({ api }) => new Changed(await api.createRendered())));
  const limited = await Promise.all(
    faults.map(async (_, n) => {
      const { api } = wide[n % customers]!;
      return { api, link: new Scanned(await api.createRendered({ scan_limit: scanLimit })) };
    }),
  );
  const [many, few] = [new Created(creating.key), new Created(narrow.key)];
  const metered = new Metered(metering.key, meteredLimits);
  let now = 0;
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
    ...members.flatMap((member) => [
      ...changed.map((link) => steadily(() => link.scan(member), 200)),
      repeat(() => limited[now]!.link.scan(member), 150),
      repeat(() => metered.ask(member), 100),
    ]),
    ...changed.map((link, n) => repeat(() => link.change(anyone(), wide[n]!.key), 200)),
    repeat(() => many.create(anyone, () => isOver), 300),
    ...[1, 2].map(() => repeat(() => few.create(anyone, () => isOver), 200)),
    repeat(() => few.archive(anyone()), 400),
  ]);
  // Seen when the load is over.
  load.catch(() => undefined);
  try {
    for (const [n, fault] of faults.entries()) {
      now = n;
      await pause(500);
      const began = performance.now();
      await fault.begin();
      await pause(faultMs);
      await untilChanged(changed, fault.name);
      const served = performance.now();
      await fault.end();
      await Promise.all(members.map((member) => member.untilReady()));
      const [lasted, ended] = [served - began, performance.now() - served].map(Math.round);
      t.diagnostic(`${fault.name}: ${lasted} ms until all were served, ${ended} ms until all were ready`);
    }
  } finally {
    isOver = true;
    await load;
  }
  for (const { led } of changed) assert.ok(led > 0);
  assert.ok(many.size > 0 && few.size > cap, "codes were created");
  await Promise.all([
    many.areThere(creating.api),
    few.areThere(narrow.api).then(() => few.isFull(narrow.api, cap, anyone)),
    ...limited.map(({ link, api }) => link.isUsedUp(api, scanLimit, anyone)),
    ...changed.map((link, n) => link.isCounted(wide[n]!.api)),
  ]);
}

/** For every account changes are answered again. */
async function untilChanged(changed: readonly Changed[], name: string): Promise<void> {
  const before = changed.map(({ changes }) => changes);
  for (const end = performance.now() + servedMsMax; ; await pause(50)) {
    if (changed.every(({ changes }, n) => changes > before[n]!)) return;
    assert.ok(performance.now() < end, `${name}: not all accounts are served while it lasts`);
  }
}

function happensTo(
  choose: () => Promise<MemberProcess>,
  name: string,
  begin: (member: MemberProcess) => unknown,
  end: (member: MemberProcess) => unknown,
): Fault {
  let member: MemberProcess;
  return {
    name,
    async begin() {
      member = await choose();
      await begin(member);
    },
    end: () => void end(member),
  };
}

const othersOf = ({ members }: MemberProcesses, member: MemberProcess) =>
  members.filter((other) => other !== member);

for (let round = 0; round < rounds; round++) {
  test("what any member answered is true when others are killed and paused", { skip }, (t) =>
    underLoad(t, `killed_${round}`, (cluster) => {
      const keeper = () => cluster.keeper();
      const another = async () => othersOf(cluster, await keeper())[0]!;
      return [
        { who: "the keeper", choose: keeper },
        { who: "another member", choose: another },
      ].flatMap(({ who, choose }) => [
        happensTo(
          choose,
          `${who} is killed`,
          (member) => member.end("SIGKILL"),
          (member) => member.start(),
        ),
        happensTo(
          choose,
          `${who} is paused`,
          ({ service }) => service!.child.kill("SIGSTOP"),
          ({ service }) => service!.child.kill("SIGCONT"),
        ),
      ]);
    }),
  );

  test("what any member answered is true when one cannot hear another", { skip }, (t) =>
    underLoad(t, `pairs_${round}`, (cluster) =>
      cluster.members.flatMap((from) =>
        othersOf(cluster, from).map((to) => {
          const [one, other] = [from, to].map((member) => cluster.members.indexOf(member));
          return {
            name: `what member ${one} says to member ${other} is lost`,
            begin: () => cluster.lose([from], [to]),
            end: () => cluster.heal(),
          };
        }),
      ),
    ),
  );

  test(
    "what any member answered is true when one cannot hear MongoDB, or is not heard by it",
    { skip },
    (t) =>
      underLoad(t, `database_${round}`, (cluster) =>
        cluster.members.flatMap((member, n) => [
          {
            name: `what member ${n} says to MongoDB is lost`,
            begin: () => cluster.lose([member], set!.members),
            end: () => cluster.heal(),
          },
          {
            name: `what MongoDB says to member ${n} is lost`,
            begin: () => cluster.lose(set!.members, [member]),
            end: () => cluster.heal(),
          },
        ]),
      ),
  );

  test(
    "what any member answered is true when the keeper is alone, and when the primary is killed",
    { skip },
    (t) =>
      underLoad(t, `alone_${round}`, (cluster) => {
        const keeper = () => cluster.keeper();
        const heal = () => cluster.heal();
        let primary: Member;
        return [
          happensTo(
            keeper,
            "what the keeper says is lost",
            (member) => cluster.lose([member], othersOf(cluster, member)),
            heal,
          ),
          happensTo(
            keeper,
            "the keeper hears nobody",
            (member) => cluster.lose(othersOf(cluster, member), [member]),
            heal,
          ),
          {
            name: "the primary is killed",
            async begin() {
              primary = await set!.primary();
              await primary.kill();
            },
            end: () => primary.start(),
          },
        ];
      }),
  );
}

test("each member is stopped and started again under load, and no request fails", { skip }, async (t) => {
  const { url, members: servers } = set!;
  const { members } = await MemberProcesses.start(3, { url: databaseUrl(url, "restarts"), members: servers });
  const balancer = new Balancer<MemberProcess>();
  balancer.members.push(...members);
  const { address } = members[0]!;
  const admin = adminOf(members[0]!);
  const { key, api } = await createAccount(address, admin, { limits });
  const metering = await createAccount(address, admin, { limits: meteredLimits });
  const metered = new Metered(metering.key, meteredLimits);
  const plain = await api.createRendered();
  const limited = await api.createRendered({ scan_limit: 1_000_000 });
  const headers = { "x-api-key": key, "content-type": "application/json" };

  let isOver = false;
  let longestMs = 0;
  const send: typeof balancer.send = async (...asked) => {
    const began = performance.now();
    const answer = await balancer.send(...asked);
    const ms = performance.now() - began;
    longestMs = Math.max(longestMs, ms);
    assert.notEqual(answer.status, 503, `${answer.body} after ${Math.round(ms)} ms`);
    return answer;
  };
  const scans = { plain: 0, limited: 0 };
  const scanAll = async (of: keyof typeof scans, slug: string) => {
    for (; !isOver; scans[of]++) {
      const { status, body } = await send(`/${slug}`);
      assert.equal(status, 302, body);
    }
  };
  const change = async () => {
    for (let n = 0; !isOver; n++, scans.plain++) {
      const redirect_url = `https://example.com/${n}`;
      const path = `/v1/qr-codes/${plain.qr_id}`;
      const body = [JSON.stringify({ redirect_url })];
      const { status, body: told } = await send(path, { method: "PATCH", headers }, body);
      assert.equal(status, 200, told);
      assert.equal((await send(`/${plain.slug}`)).headers.location, redirect_url);
    }
  };
  const meter = async () => {
    const asked = { headers: { "x-api-key": metering.key } };
    for (; !isOver; await pause(50)) {
      const together = Array.from({ length: meteredLimits.burst }, () => send("/v1/projects", asked));
      for (const answer of await Promise.all(together)) metered.note(answer);
    }
  };
  const load = [scanAll("plain", plain.slug), scanAll("limited", limited.slug), change(), meter(), meter()];
  for (const work of load) {
    work.catch(() => {
      isOver = true;
    });
  }
  for (const member of members) {
    if (isOver) break;
    assert.equal(await member.end("SIGTERM"), 0, member.service!.errors());
    member.start();
    await member.untilReady();
  }
  isOver = true;
  await Promise.all(load);
  t.diagnostic(
    `${scans.plain} plain and ${scans.limited} limited scans; the longest answer took ${Math.round(longestMs)} ms`,
  );
  metered.assertFull();
  const countOf = async ({ qr_id }: { qr_id: string }) =>
    (await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.scan_count;
  assert.equal(await countOf(limited), scans.limited);
  for (const end = performance.now() + countedMsMax; (await countOf(plain)) < scans.plain; ) {
    assert.ok(performance.now() < end, `answered ${scans.plain}, counted ${await countOf(plain)}`);
    await pause(100);
  }
  assert.equal(await countOf(plain), scans.plain);
});
