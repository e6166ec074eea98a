/** After the traffic: all that was acknowledged is there, exactly once, in its last state, with true counts. */
import { setTimeout as pause } from "node:timers/promises";
import type { CodeAnswer, CodeListAnswer, CodeListItem } from "../../src/schema/responses.ts";
import { checkCounts } from "./calls/read-calls.ts";
import { about, keyHeader, type World } from "./calls/world.ts";
import { settleOwed } from "./calls/write-calls.ts";
import { type Code, isCertain, numberOf, versionOf } from "./ledger.ts";

export interface Exactness {
  codes: number;
  scansSent: number;
  scansAnswered: number;
  scansCounted: number;
  exhausted: number;
}

const owedRounds = 10;
const renderedMsMax = 60_000;
const leaseLookMs = 500;
const askedAtOnce = 8;

export async function checkExactness(world: World): Promise<Exactness> {
  const { judge, ledger } = world;
  let isSettled = await settleOwed(world);
  for (let round = 1; round < owedRounds && !isSettled; round++) isSettled = await settleOwed(world);
  if (!isSettled) judge.fail(`${ledger.owed.length} creates were not answered after the last start`);
  await checkRendered(world);
  await checkCodes(world);
  return checkScans(world);
}

async function checkRendered(world: World): Promise<void> {
  for (const end = performance.now() + renderedMsMax; ; await pause(leaseLookMs)) {
    let waiting = 0;
    for (let account = 0; account < world.accounts.length; account++) {
      for await (const { render_status } of items(world, account, ["active"])) {
        if (render_status !== "done") waiting++;
      }
    }
    if (waiting === 0) return;
    if (performance.now() > end) return world.judge.fail(`${waiting} codes were not rendered`);
  }
}

async function checkCodes(world: World): Promise<void> {
  const { judge, ledger } = world;
  const seen = new Uint8Array(ledger.numbers);
  const slugs = new Set<string>();
  for (let account = 0; account < world.accounts.length; account++) {
    let active = 0;
    for await (const item of items(world, account, ["active", "archived"])) {
      if (item.status === "active") active++;
      const number = numberOf(item.label);
      if (number === null || number >= ledger.numbers) {
        judge.fail(`nobody created ${item.qr_id}, ${item.label}`);
        continue;
      }
      if (seen[number]!++ > 0) judge.fail(`create ${number} was done twice`);
      if (item.slug !== null && slugs.has(item.slug)) judge.fail(`two codes have the slug ${item.slug}`);
      if (item.slug !== null) slugs.add(item.slug);
      checkState(world, number, item);
    }
    const used = await activeCodes(world, account);
    if (used !== active) judge.fail(`the usage says ${used} active codes, the list has ${active}`);
  }
  for (const code of ledger.codes.values()) {
    if (seen[code.number] === 0) judge.fail(`lost: ${about(code)}`);
  }
}

function checkState({ judge, ledger }: World, number: number, item: CodeListItem): void {
  const code = ledger.codes.get(number);
  if (code === undefined) {
    if (!ledger.unknown.has(number)) judge.fail(`create ${number} was refused and done`);
    return;
  }
  const version = versionOf(number, item.redirect_url);
  const active = item.status === "active";
  const isPossible = [code.settled, code.proposed ?? code.settled].some(
    (state) => state.version === version && state.active === active,
  );
  const isSame = item.qr_id === code.id && (code.slug === null || code.slug === item.slug);
  if (!isPossible || !isSame)
    judge.fail(`${JSON.stringify(item)} is not what was acknowledged: ${about(code)}`);
}

async function checkScans(world: World): Promise<Exactness> {
  const found = { codes: 0, scansSent: 0, scansAnswered: 0, scansCounted: 0, exhausted: 0 };
  const codes = world.ledger.codes.values();
  const work = async () => {
    for (const code of codes) {
      const counted = await countOf(world, code);
      if (counted === null) continue;
      checkCounts(world, code, code.answered, counted);
      if (code.refused > 0 && counted !== code.limit)
        world.judge.fail(`the limit was reached at ${counted}: ${about(code)}`);
      found.codes++;
      found.scansSent += code.sent;
      found.scansAnswered += code.answered;
      found.scansCounted += counted;
      if (code.refused > 0) found.exhausted++;
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, work));
  return found;
}

/** Archived codes cannot be read; a change that changes nothing tells their count. */
async function countOf(world: World, code: Code): Promise<number | null> {
  const { judge } = world;
  const path = `/v1/qr-codes/${code.id}`;
  const headers = keyHeader(world, code.account);
  const mayBeArchived = !code.settled.active || !isCertain(code);
  const answer = await judge.ask(
    "api",
    mayBeArchived ? { method: "PATCH", path, headers, json: {} } : { method: "GET", path, headers },
  );
  if (answer?.status === 200) return (JSON.parse(String(answer.body)) as CodeAnswer).scan_count;
  judge.fail(`no count of ${about(code)}: ${answer?.status} ${answer?.body}`);
  return null;
}

async function* items(world: World, account: number, statuses: string[]): AsyncGenerator<CodeListItem> {
  const filter = statuses.map((status) => `&status=${status}`).join("");
  for (let token: string | null = ""; token !== null; ) {
    const path: string = `/v1/qr-codes?page_size=100${filter}&page_token=${encodeURIComponent(token)}`;
    const answer = await world.judge.ask("api", { method: "GET", path, headers: keyHeader(world, account) });
    if (answer?.status !== 200) throw new Error(`${path} was answered with ${answer?.status}`);
    const body = JSON.parse(String(answer.body)) as CodeListAnswer;
    yield* body.items;
    token = body.next_page_token;
  }
}

async function activeCodes({ judge, accounts, adminToken }: World, account: number): Promise<number | null> {
  const path = `/admin/v1/accounts/${accounts[account]!.id}`;
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await judge.ask("api", { method: "GET", path, headers });
  if (answer?.status !== 200) return null;
  return (JSON.parse(String(answer.body)) as { usage: { active_codes: number } }).usage.active_codes;
}
