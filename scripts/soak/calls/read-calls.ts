/** Reads: codes, lists, images, usage; and strangers without a valid key. */
import type { CodeAnswer, CodeListAnswer } from "../../../src/schema/responses.ts";
import {
  type Code,
  glance,
  isCertain,
  kinds,
  labelOf,
  mayHaveBeen,
  numberOf,
  type State,
  settle,
  versionOf,
  wasPossible,
} from "../ledger.ts";
import { about, type Call, keyHeader, type World } from "./world.ts";

const bySlugShare = 0.3;
const pagesMax = 4;

/** Codes of which something is unknown come first: that is how slugs and lost changes become known. */
export const read: Call = async (world) => {
  const { chance, ledger } = world;
  const code = ledger.unread() ?? ledger.pick(chance, chance.pick(kinds), () => true);
  if (code !== null) await readOne(world, code);
};

export async function readOne(world: World, code: Code): Promise<void> {
  const { chance, judge } = world;
  const since = glance(code);
  const wasBusy = code.busy;
  const bySlug = code.slug !== null && chance.chance(bySlugShare);
  const path = bySlug ? `/v1/qr-codes/by-slug?slug=${code.slug}` : `/v1/qr-codes/${code.id}`;
  const answer = await judge.ask("api", { method: "GET", path, headers: keyHeader(world, code.account) });
  if (answer === null) return;
  const isUndisturbed = !wasBusy && since.turns === code.turns;
  if (answer.status === 404) {
    if (!mayHaveBeen(code, since, false)) judge.fail(`404 for a code in service: ${about(code)}`);
    else if (isUndisturbed && !isCertain(code)) resolve(world, code, (state) => !state.active);
    return;
  }
  if (answer.status !== 200) return judge.fail(`a read was answered with ${answer.status}: ${about(code)}`);
  const body = JSON.parse(String(answer.body)) as CodeAnswer;
  const version = versionOf(code.number, body.redirect_url);
  const isRight =
    body.qr_id === code.id &&
    body.label === labelOf(code.number) &&
    (code.slug === null || code.slug === body.slug) &&
    version !== null &&
    wasPossible(code, since, { version, active: true });
  if (!isRight) return judge.fail(`a read shows another state: ${answer.body}, ${about(code)}`);
  checkCounts(world, code, since.answered, body.scan_count);
  code.slug = body.slug;
  const urls = [body.file_url_svg, body.file_url_png].filter((url) => url !== null);
  code.files = urls.map((url) => new URL(url).pathname);
  if (isUndisturbed && !isCertain(code))
    resolve(world, code, (state) => state.active && state.version === version);
}

/** An answer that was lost: the code is in one of two states, and a read has told which. */
function resolve({ judge }: World, code: Code, isSeen: (state: State) => boolean): void {
  const seen = [code.settled, code.proposed!].find(isSeen);
  if (seen === undefined) judge.fail(`a read shows neither of two states: ${about(code)}`);
  else settle(code, seen);
}

export function checkCounts({ judge }: World, code: Code, answered: number, counted: number): void {
  const most = Math.min(code.sent, code.limit ?? Number.POSITIVE_INFINITY);
  if (counted < answered || counted > most)
    judge.fail(`counted ${counted}, answered ${answered}: ${about(code)}`);
}

/** A few pages in a row: no code twice, and only codes that somebody asked for. */
export const list: Call = async (world) => {
  const { chance, judge, ledger } = world;
  const account = chance.below(world.accounts.length);
  const size = chance.pick([10, 20, 50]);
  const seen = new Set<string>();
  let token: string | null = "";
  for (let page = 0; page < pagesMax && token !== null; page++) {
    const path: string = `/v1/qr-codes?page_size=${size}&page_token=${encodeURIComponent(token)}`;
    const answer = await judge.ask("api", { method: "GET", path, headers: keyHeader(world, account) });
    if (answer === null) return;
    if (answer.status !== 200) return judge.fail(`a list was answered with ${answer.status}: ${answer.body}`);
    const body = JSON.parse(String(answer.body)) as CodeListAnswer;
    for (const { qr_id, label } of body.items) {
      const number = numberOf(label);
      const code = number === null ? undefined : ledger.codes.get(number);
      const isKnown = code === undefined ? number !== null && ledger.unknown.has(number) : code.id === qr_id;
      if (!isKnown) judge.fail(`a list shows ${qr_id}, ${label}, which nobody was told of`);
      if (seen.has(qr_id)) judge.fail(`a list shows ${qr_id} twice`);
      seen.add(qr_id);
    }
    token = body.next_page_token;
  }
};

export const download: Call = async ({ chance, ledger, judge }) => {
  const code = ledger.pick(chance, "plain", ({ files }) => files.length > 0);
  if (code === null) return;
  const since = glance(code);
  const path = chance.pick(code.files);
  const answer = await judge.ask("api", { method: "GET", path });
  if (answer === null || (answer.status === 404 && mayHaveBeen(code, since, false))) return;
  const start = path.endsWith(".svg") ? "<svg" : "\x89PNG";
  if (answer.status !== 200 || answer.body.toString("latin1", 0, 4) !== start)
    judge.fail(`${path} was answered with ${answer.status}: ${about(code)}`);
};

export const usage: Call = async ({ chance, accounts, adminToken, judge }) => {
  const { id } = chance.pick(accounts);
  const headers = { authorization: `Bearer ${adminToken}` };
  const path = chance.chance(0.5) ? `/admin/v1/accounts/${id}` : "/admin/v1/accounts?page_size=2";
  const answer = await judge.ask("api", { method: "GET", path, headers });
  if (answer !== null && answer.status !== 200) judge.fail(`${path} was answered with ${answer.status}`);
};

export const stranger: Call = async ({ chance, judge }) => {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const made = Array.from({ length: 32 }, () => letters[chance.below(letters.length)]).join("");
  const headers = { "x-api-key": chance.pick([`api_live_${made}`, "api_live_", made]) };
  const answer = await judge.ask("api", { method: "GET", path: "/v1/qr-codes", headers });
  if (answer !== null && answer.status !== 401) judge.fail(`a wrong key was answered with ${answer.status}`);
};
