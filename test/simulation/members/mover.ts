/**
 * Who lives in a world of several members: clients as everywhere, and movers. A mover has a code that is in the memory of
 * every member that serves; it changes the target, and when that is answered asks all of them at once.
 */

import { wantsImage } from "../../../src/domain/code/render-state.ts";
import { evictionWaitMs } from "../../../src/limits.ts";
import type { AccountRecord, CodeFace, CodeRecord } from "../checks/ledger.ts";
import { changeCode, codeOwner, lookAtCode, recordCode } from "../clients/code-owner.ts";
import { callWithKey, isUncertain } from "../clients/key-holder.ts";
import { type Client, newcomer } from "../clients/population.ts";
import { scan, scanner } from "../clients/scanner.ts";
import { hastyCaller } from "./hasty-caller.ts";
import type { MembersWorld } from "./members-world.ts";
import { signedIn } from "./signed-in.ts";
import { breakAtCount, lastingMs, pauseFor, strikeAtWrite } from "./troubles.ts";

/** How long a mover goes on. */
const movingMs = 45_000;
const answerMsMax = 1_500;
const late = "late";
/** Until a member says of what it has handed on that nothing is known of it. */
const givenUpMsMax = 3 * evictionWaitMs;
/** Until another member has the accounts of one that is lost. */
const foundOutMsMax = 8_000;
/** How often a member that decides is struck when it has stored a change, and has told nobody. */
const struckAtWrite = 0.4;
/** How often a member that decides loses its connections when it has counted the first scan of a limited code. */
const brokenAtCount = 0.3;
/** How often a mover goes on with another code. */
const leftAlone = 0.1;
/** How often a member is paused in the middle of a loop turn, with scans decided and not answered. */
const pausedInTurn = 0.04;

export function populateMembers(world: MembersWorld): Client[] {
  const limits = { qr_cap: 1_000, per_minute: 1_000, per_day: 100_000, burst: 1_000, projects: 1_000 };
  const account = newcomer(world, () => limits);
  // Where accounts are shared out among members, one of them alone would mostly stay where it is.
  const another = world.isCluster ? newcomer(world, () => limits) : account;
  const third = world.isCluster ? newcomer(world, () => limits) : account;
  const clients = [mover(world, account), mover(world, another), codeOwner(world, third), scanner(world)];
  return world.isCluster ? [...clients, hastyCaller(world), signedIn(world)] : clients;
}

function mover(world: MembersWorld, account: AccountRecord): Client {
  const random = world.random.fork();
  const target = () => `https://example.com/${random.below(1_000_000)}`;

  const stored = ({ id }: CodeRecord) => world.store.database.get("codes", id)!;

  async function create(until: number): Promise<CodeRecord | null> {
    while (world.loop.now() < until) {
      const label = `code ${world.ledger.codeCreates.size}`;
      const face: CodeFace = {
        label,
        status: "active",
        redirect_url: target(),
        scan_limit: random.chance(world.isCluster ? 0.5 : 0.2) ? random.between(5, 50) : null,
        expires_at: null,
      };
      world.ledger.codeCreates.set(label, "unknown");
      const body = { ...face, status: undefined, label: undefined, name: label };
      const answer = await inTime(callWithKey(world, account, "POST", "/v1/qr-codes", { body }));
      if (answer !== late && !isUncertain(answer) && answer.status === 201) {
        world.ledger.codeCreates.set(label, "created");
        return recordCode(world, account, face, answer);
      }
      await world.loop.sleep(random.between(50, 500));
    }
    return null;
  }

  /** Whoever waits for a member that hangs would not notice that another has taken over. */
  function inTime<T>(answer: Promise<T>, ms = answerMsMax): Promise<T | typeof late> {
    return Promise.race([answer, world.loop.sleep(ms).then((): typeof late => late)]);
  }

  /** Those that hang answer when they wake up. */
  function scanEverywhere(code: CodeRecord): Promise<void>[] {
    return world.serving.map((member) => scan(world, code, "GET", member.serving).catch(world.failed));
  }

  /** What became of a change that was not answered: from then on it is that for all. */
  async function findOut(code: CodeRecord): Promise<void> {
    const until = world.loop.now() + foundOutMsMax;
    while (code.face.possible.length > 1 && world.loop.now() < until) {
      await inTime(lookAtCode(world, account, code));
      await world.loop.sleep(random.between(20, 200));
    }
  }

  /** Whoever draws a picture has all members read the code again, and so hides that they were told of nothing. */
  const isDrawn = (code: CodeRecord) => !wantsImage(stored(code).render);

  /** Others read, and scan, before whoever changes it knows what became of that. */
  async function watch(code: CodeRecord, change: Promise<void>): Promise<void> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    void change.then(over, over);
    for (const until = world.loop.now() + givenUpMsMax; !isOver && world.loop.now() < until; ) {
      await inTime(lookAtCode(world, account, code));
      await Promise.all(scanEverywhere(code).map((scanned) => inTime(scanned)));
      await world.loop.sleep(random.between(50, 500));
    }
  }

  function pauseSomebody(): void {
    if (world.isCalm || !random.chance(pausedInTurn) || world.serving.length === 0) return;
    void pauseFor(world, random.pick(world.serving), lastingMs(random), false);
  }

  /** A code of its own, with no scan of which nothing is known: one that counts twice is seen then. */
  async function useUp(code: CodeRecord): Promise<void> {
    const disarm = breakAtCount(world, account.id);
    await Promise.all(scanEverywhere(code).map((scanned) => inTime(scanned, givenUpMsMax)));
    disarm();
  }

  return async () => {
    const until = world.loop.now() + movingMs;
    const scans: Promise<void>[] = [];
    for (let code = await create(until); code !== null; code = await create(until)) {
      const isLimited = code.face.possible[0]!.scan_limit !== null;
      if (isLimited && world.isCluster && !world.isCalm && random.chance(brokenAtCount)) {
        await useUp(code);
        continue;
      }
      // What hangs may still be carried out: that code is left alone.
      for (let hangs = false; world.loop.now() < until && !hangs; ) {
        scans.push(...scanEverywhere(code));
        pauseSomebody();
        await world.loop.sleep(random.chance(0.5) ? random.below(10) : random.below(600));
        const isRisky = world.isCluster && !world.isCalm && random.chance(struckAtWrite);
        const to = target();
        const isStored = () => stored(code).redirect_url === to;
        const disarm = isRisky && isDrawn(code) ? strikeAtWrite(world, random, account.id, isStored) : null;
        const change = changeCode(world, account, code, { redirect_url: to }).finally(disarm);
        if (disarm !== null) scans.push(watch(code, change).catch(world.failed));
        hangs = (await inTime(change, world.isCluster ? givenUpMsMax : answerMsMax)) === late;
        if (!hangs && world.isCluster && code.face.possible.length > 1) await findOut(code);
        if (!hangs) scans.push(...scanEverywhere(code));
        if (world.isCluster && random.chance(leftAlone)) break;
        await world.loop.sleep(random.chance(0.5) ? random.below(10) : random.below(600));
      }
    }
    await Promise.all(scans);
  };
}
