/** What happens to members: one thing after the other, and now and then two at a time. */
import { leaseMs, rightMs } from "../../../src/limits.ts";
import { require } from "../checks/ledger.ts";
import type { Seeded } from "../seeded-random.ts";
import type { Cut, Member } from "./member.ts";
import type { MembersWorld } from "./members-world.ts";

const readyMsMax = 60_000;
const effectMsMax = 2_000;

/** How long something lasts: a moment, about as long as the right to serve, or long enough for others to take over. */
export function lastingMs(random: Seeded): number {
  return random.pick([
    random.between(50, 1_000),
    random.between(2_000, 4_000),
    random.between(5_000, 20_000),
  ]);
}

export async function troubleDriver(world: MembersWorld, isOver: () => boolean): Promise<void> {
  const random = world.random.fork();
  const all = [pauseOne, pauseAtRenewal, suspendOne, cutOne, killOne, stopOne, awayForAll];
  if (world.isCluster) all.push(cutBusOfOne, cutBusOfOne, cutOneByOne, pauseAtRead, breakBusOfOne);
  const kinds = all.filter(() => random.chance(0.6));
  const underWay = new Set<Promise<void>>();
  while (!isOver() && kinds.length > 0) {
    await world.loop.sleep(random.between(200, 8_000));
    if (isOver()) break;
    const trouble = random
      .pick(kinds)(world, random)
      .finally(() => underWay.delete(trouble));
    underWay.add(trouble);
    if (random.chance(0.7)) await trouble;
  }
  await Promise.all(underWay);
}

/** The owner more often than not. */
function someMember(world: MembersWorld, random: Seeded): Member {
  const owner = world.members.find((member) => member.isOwner);
  return owner !== undefined && random.chance(0.7) ? owner : random.pick(world.members);
}

async function pauseOne(world: MembersWorld, random: Seeded): Promise<void> {
  await pauseFor(world, someMember(world, random), lastingMs(random), false);
}

/** When its renewal has arrived, and the answer finds it paused. */
async function pauseAtRenewal(world: MembersWorld, random: Seeded): Promise<void> {
  const paused = await new Promise<Member | null>((resolve) => {
    world.atRenewal = resolve;
    world.loop.after(2_000, () => resolve(null));
  });
  world.atRenewal = null;
  if (paused !== null) await pauseFor(world, paused, random.between(6_000, 15_000), false);
}

async function suspendOne(world: MembersWorld, random: Seeded): Promise<void> {
  await pauseFor(world, someMember(world, random), lastingMs(random), true);
}

export async function pauseFor(world: MembersWorld, member: Member, ms: number, isSuspended: boolean) {
  if (!member.isAlive || member.isPaused) return;
  world.trace(`${member.name} is ${isSuspended ? "suspended" : "paused"} for ${ms} ms`);
  member.pause();
  await world.loop.sleep(ms);
  world.trace(`${member.name} wakes up`);
  member.wake(isSuspended);
}

async function cutOne(world: MembersWorld, random: Seeded): Promise<void> {
  const member = someMember(world, random);
  if (!member.isAlive || member.isCut) return;
  await cutFor(world, member, random.pick(["nothing gets out", "nothing gets in"]), lastingMs(random));
}

async function cutFor(world: MembersWorld, member: Member, cut: Cut, ms: number): Promise<void> {
  if (member.isCut) return;
  world.trace(`${member.name}: ${cut} for ${ms} ms`);
  member.cut(cut);
  await world.loop.sleep(ms);
  world.trace(`${member.name} is connected again`);
  member.cut("none");
  member.wasCut(ms);
}

/** The way to other members, and not that to the database. */
async function cutBusOfOne(world: MembersWorld, random: Seeded): Promise<void> {
  const member = someMember(world, random);
  if (!member.isAlive || member.busCut !== "none") return;
  const cut = random.pick(["nothing gets out", "nothing gets in"] as const);
  const ms = lastingMs(random);
  world.trace(`${member.name}, to other members: ${cut} for ${ms} ms`);
  member.busCut = cut;
  await world.loop.sleep(ms);
  world.trace(`${member.name} reaches other members again`);
  member.busCut = "none";
}

/** Everybody knows at once, and those who decided by it are connected again before the second is over. */
async function breakBusOfOne(world: MembersWorld, random: Seeded): Promise<void> {
  await breakBus(world, someMember(world, random));
}

async function breakBus(world: MembersWorld, member: Member): Promise<void> {
  if (!member.isAlive) return;
  world.trace(`${member.name} loses its connections`);
  world.network.broken(member);
}

/**
 * First from other members, and when nothing that they promised holds any more, from the database: then the right to serve
 * and the wait for its end are all that is left.
 */
async function cutOneByOne(world: MembersWorld, random: Seeded): Promise<void> {
  const member = someMember(world, random);
  if (!member.isAlive || member.isCut || member.busCut !== "none") return;
  world.trace(`${member.name} loses other members, then the database`);
  member.busCut = "nothing gets out";
  await world.loop.sleep(random.between(2 * rightMs, 3 * rightMs));
  await cutFor(world, member, "nothing gets out", random.between(leaseMs, 3 * leaseMs));
  world.trace(`${member.name} reaches other members again`);
  member.busCut = "none";
}

/** One after the other, whoever it is: the next when all are ready again. */
export async function restartDriver(world: MembersWorld, isOver: () => boolean): Promise<void> {
  const random = world.random.fork();
  while (!isOver()) {
    await world.loop.sleep(random.between(200, 3_000));
    const member = someMember(world, random);
    world.trace(`${member.name} stops`);
    await member.stop();
    await world.loop.sleep(random.between(0, 1_000));
    world.startMember(member.machine);
    const until = world.loop.now() + readyMsMax;
    while (world.serving.length < world.members.length) {
      require(world.loop.now() < until, () => "not all members are ready a minute after one was started");
      await world.loop.sleep(50);
    }
  }
}

async function killOne(world: MembersWorld, random: Seeded): Promise<void> {
  await kill(world, random, someMember(world, random));
}

async function kill(
  world: MembersWorld,
  random: Seeded,
  member: Member,
  downMs = lastingMs(random),
): Promise<void> {
  if (!member.isAlive) return;
  world.trace(`${member.name} is killed`);
  member.kill();
  await startLater(world, random, member, downMs);
}

/**
 * The deputy that decides for the account is killed when it has stored what is meant, or loses its connections: nobody else
 * has been told. Ends with the call of what is returned; null when there is no such deputy.
 */
export function strikeAtWrite(
  world: MembersWorld,
  random: Seeded,
  account: string,
  isStored: () => boolean,
): (() => void) | null {
  const member = deputiesIn(world).find((deputy) => deputy.decidesFor(account));
  if (member === undefined) return null;
  const arm = () =>
    member.atEffect("store written", () => {
      if (!isStored()) return arm();
      world.trace(`${member.name} has stored a change`);
      if (random.chance(0.3)) void breakBus(world, member);
      // What it counted is folded when it is back, and then all members read the links of that again.
      else void kill(world, random, member, random.between(5_000, 20_000));
    });
  arm();
  return () => member.disarm();
}

/** Whoever decides for the account loses its connections when it has counted a scan: nobody else knows that it has. */
export function breakAtCount(world: MembersWorld, account: string): () => void {
  const member = world.members.find(({ isAlive, decidesFor }) => isAlive && decidesFor(account));
  member?.atEffect("store written", () => void breakBus(world, member));
  return () => member?.disarm();
}

/** What it decides on is old when it wakes up. */
async function pauseAtRead(world: MembersWorld, random: Seeded): Promise<void> {
  const deputies = deputiesIn(world);
  if (deputies.length === 0) return;
  const member = random.pick(deputies);
  const isMet = await new Promise<boolean>((resolve) => {
    member.atEffect("store read", () => resolve(true));
    world.loop.after(effectMsMax, () => resolve(false));
  });
  member.disarm();
  if (isMet) await pauseFor(world, member, random.between(6_000, 15_000), false);
}

/** Those that decide for some of the accounts and do not keep. */
function deputiesIn({ members }: MembersWorld): Member[] {
  return members.filter(({ isAlive, isOwner, partitions }) => isAlive && !isOwner && partitions > 0);
}

async function startLater(
  world: MembersWorld,
  random: Seeded,
  { machine }: Member,
  downMs = lastingMs(random),
): Promise<void> {
  await world.loop.sleep(downMs);
  if (!world.members[machine]!.isAlive) world.startMember(machine);
}

async function stopOne(world: MembersWorld, random: Seeded): Promise<void> {
  const member = someMember(world, random);
  if (!member.isAlive || !member.isStarted || member.isStopping) return;
  world.trace(`${member.name} stops`);
  await member.stop();
  await startLater(world, random, member);
}

async function awayForAll(world: MembersWorld, random: Seeded): Promise<void> {
  if (world.isAway) return;
  const ms = lastingMs(random);
  world.trace(`the database is away for ${ms} ms`);
  world.isAway = true;
  await world.loop.sleep(ms);
  world.trace("the database is back");
  world.isAway = false;
  for (const member of world.members) member.wasCut(ms);
}
