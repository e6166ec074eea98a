/**
 * Creates, some under a key that makes them happen once, and repeats of those; changes: new targets, codes archived and
 * brought back, and old ones archived for good.
 */
import type { CodeAnswer } from "../../../src/schema/responses.ts";
import {
  type Code,
  digestOf,
  isCertain,
  type KeyedCreate,
  type Kind,
  type Ledger,
  labelOf,
  propose,
  type State,
  settle,
  targetOf,
} from "../ledger.ts";
import { checkCounts } from "./read-calls.ts";
import { ruleTargets } from "./scan-calls.ts";
import type { Answer } from "./wire.ts";
import { about, type Call, keyHeader, type World } from "./world.ts";

type Create = Omit<KeyedCreate, "key"> & { key: string | null };

const keyedShare = 0.4;
const shares: Partial<Record<Kind, number>> = { limited: 0.1, ruled: 0.04 };
const limits = { low: 20, high: 200 };

export const create: Call = async (world) => {
  const { chance, ledger } = world;
  if (ledger.isFull) return;
  const kind = kindOf(chance.below(1_000) / 1_000);
  await send(world, newCreate(world, kind, chance.chance(keyedShare)));
};

/** A client that got no answer asks again; so does, now and then, one that got it. */
export const repeatCreate: Call = async (world) => {
  const again = world.ledger.owed.shift() ?? world.ledger.pickRepeatable(world.chance);
  if (again !== null) await send(world, again);
};

/** True when the code was created. */
export async function createOne(world: World, kind: Kind): Promise<boolean> {
  return send(world, newCreate(world, kind, false));
}

/** True when no create is left whose outcome a repeat could tell. */
export async function settleOwed(world: World): Promise<boolean> {
  for (let left = world.ledger.owed.length; left > 0; left--) await repeatCreate(world);
  return world.ledger.owed.length === 0;
}

function newCreate({ chance, ledger, accounts }: World, kind: Kind, keyed: boolean): Create {
  const number = ledger.newNumber();
  return {
    number,
    kind,
    account: chance.below(accounts.length),
    limit: kind === "limited" ? chance.between(limits.low, limits.high) : null,
    key: keyed ? `soak-${number}` : null,
    digest: null,
  };
}

function kindOf(throwOf1: number): Kind {
  const { limited = 0, ruled = 0 } = shares;
  if (throwOf1 < limited) return "limited";
  return throwOf1 < limited + ruled ? "ruled" : "plain";
}

async function send(world: World, create: Create): Promise<boolean> {
  const { judge, ledger } = world;
  const answer = await judge.ask("api", {
    method: "POST",
    path: "/v1/qr-codes",
    headers: {
      ...keyHeader(world, create.account),
      ...(create.key !== null && { "idempotency-key": create.key }),
    },
    json: bodyOf(create),
  });
  if (answer === null) {
    if (isKeyed(create) && create.digest === null) ledger.owed.push(create);
  } else if (answer.status !== 201) {
    judge.fail(`create ${create.number} was answered with ${answer.status}: ${answer.body}`);
  } else if (create.digest === null) {
    note(ledger, create, answer);
  } else if (digestOf(answer.body) !== create.digest) {
    judge.fail(`the repeat of create ${create.number} got another answer: ${answer.body}`);
  }
  return answer?.status === 201;
}

function note(ledger: Ledger, create: Create, { body }: Answer): void {
  const { qr_id: id } = JSON.parse(String(body)) as { qr_id: string };
  ledger.created({ ...create, id });
  create.digest = digestOf(body);
  if (isKeyed(create)) ledger.canRepeat(create);
}

function isKeyed(create: Create): create is KeyedCreate {
  return create.key !== null;
}

function bodyOf({ number, kind, limit }: Create): object {
  const rules = [
    { condition: "country", value: "IS", url: "https://example.com/soak/is" },
    { condition: "device", value: "ios", url: ruleTargets.ios },
    { condition: "device", value: "android", url: ruleTargets.android },
  ];
  return {
    label: labelOf(number),
    redirect_url: targetOf(number, 0),
    ...(limit !== null && { scan_limit: limit }),
    ...(kind === "ruled" && { redirect_rules: rules }),
  };
}

const archiveShare = 0.2;

export const change: Call = async (world) => {
  const { chance, ledger } = world;
  const old = ledger.outlived();
  if (old !== null) {
    ledger.retire(old);
    await patch(world, old, { ...old.settled, active: false });
    return;
  }
  const code = ledger.pick(chance, "plain", (code) => isCertain(code) && code.slug !== null);
  if (code === null) return;
  const { version, active } = code.settled;
  if (!active || chance.chance(archiveShare)) await patch(world, code, { version, active: !active });
  else await patch(world, code, { version: version + 1, active });
};

async function patch(world: World, code: Code, state: State): Promise<void> {
  const { judge } = world;
  const { answered } = code;
  const json =
    state.active === code.settled.active
      ? { redirect_url: targetOf(code.number, state.version) }
      : { status: state.active ? "active" : "archived" };
  propose(code, state);
  const answer = await judge.ask("api", {
    method: "PATCH",
    path: `/v1/qr-codes/${code.id}`,
    headers: keyHeader(world, code.account),
    json,
  });
  code.busy = false;
  // Without an answer it stays proposed until a read tells.
  if (answer === null) return;
  if (answer.status !== 200) {
    judge.fail(`a change was answered with ${answer.status}: ${answer.body}, ${about(code)}`);
    return;
  }
  const body = JSON.parse(String(answer.body)) as CodeAnswer;
  const isDone =
    body.label === labelOf(code.number) &&
    body.redirect_url === targetOf(code.number, state.version) &&
    body.status === (state.active ? "active" : "archived");
  if (!isDone) judge.fail(`a change was answered with another state: ${answer.body}, ${about(code)}`);
  settle(code, state);
  checkCounts(world, code, answered, body.scan_count);
}
