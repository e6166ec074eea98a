/** A client that creates codes and changes its own. It is the only writer of these codes; others read them. */

import {
  type AccountRecord,
  type CodeFace,
  type CodeRecord,
  type ProjectRecord,
  Register,
  require,
  ScanTally,
} from "../checks/ledger.ts";
import type { Answer, Lost } from "../machine/door.ts";
import type { Scene } from "../scene.ts";
import { callWithKey, isUncertain } from "./key-holder.ts";

const actions = 10;

export function codeOwner(world: Scene, account: AccountRecord): () => Promise<void> {
  const random = world.random.fork();
  const own: CodeRecord[] = [];
  const call = (
    ...request: Parameters<typeof callWithKey> extends [Scene, AccountRecord, ...infer Rest] ? Rest : never
  ) => callWithKey(world, account, ...request);

  async function create(): Promise<void> {
    const label = `code ${world.ledger.codeCreates.size}`;
    world.ledger.codeCreates.set(label, "unknown");
    const face: CodeFace = {
      label,
      status: "active",
      redirect_url: `https://example.com/${random.below(1_000)}`,
      scan_limit: random.chance(0.4) ? random.between(1, 6) : null,
      expires_at: random.chance(0.2) ? isoIn(random.between(100, 30_000)) : null,
    };
    const idempotencyKey = random.chance(0.6) ? `once-${label.replace(" ", "-")}` : undefined;
    const body = { ...face, status: undefined, label: undefined, name: label };
    const send = () => call("POST", "/v1/qr-codes", { body, ...(idempotencyKey && { idempotencyKey }) });
    const answers: (Answer | Lost)[] = [];
    const repeats = idempotencyKey === undefined ? 0 : random.between(0, 3);
    if (idempotencyKey !== undefined && random.chance(0.4)) {
      // An impatient client: the second request meets the first one under way.
      const second = world.loop.sleep(random.below(30)).then(send);
      answers.push(...(await Promise.all([send(), second])));
    } else {
      answers.push(await send());
    }
    for (let n = 0; n < repeats && random.chance(answers.some(isUncertain) ? 1 : 0.3); n++) {
      await world.loop.sleep(random.below(1_000));
      answers.push(await send());
    }
    created(label, face, answers);
  }

  function created(label: string, face: CodeFace, answers: (Answer | Lost)[]): void {
    const successes = answers.filter(
      (answer): answer is Answer => answer !== "lost" && answer.status === 201,
    );
    const [first] = successes;
    for (const answer of successes) {
      require(answer.bytes === first!.bytes, () =>
        `two answers for one idempotency key:\n${first!.bytes}\n${answer.bytes}`);
    }
    if (first === undefined) {
      if (!answers.some(isUncertain)) world.ledger.codeCreates.set(label, "refused");
      return;
    }
    world.ledger.codeCreates.set(label, "created");
    own.push(recordCode(world, account, face, first));
  }

  async function change(code: CodeRecord): Promise<void> {
    const body = random.pick<Partial<CodeFace>>([
      { label: `renamed ${random.below(1_000)}` },
      { redirect_url: `https://example.com/new-${random.below(1_000)}` },
      { status: "archived" },
      { status: "active" },
      { status: "active", redirect_url: `https://example.com/again-${random.below(1_000)}` },
    ]);
    await changeCode(world, account, code, body);
  }

  const isoIn = (ms: number) => new Date(world.loop.now() + ms).toISOString();

  return async () => {
    for (let n = 0; n < actions; n++) {
      await world.loop.sleep(random.chance(0.3) ? random.below(20) : random.below(4_000));
      const all = world.ledger.codesOf(account.id);
      if (own.length === 0 || random.chance(0.35)) await create();
      else if (random.chance(0.6)) await change(random.pick(own));
      else await lookAtCode(world, account, random.pick(all));
    }
  };
}

/** Any code of the account: also one that is being changed at this moment. */
export async function lookAtCode(world: Scene, account: AccountRecord, code: CodeRecord): Promise<void> {
  const { revision } = code.face;
  const answer = await callWithKey(world, account, "GET", "/v1/qr-codes/:id", { params: [code.id] });
  if (answer === "lost") return;
  if (answer.status === 200) {
    code.face.seen(faceOf(answer.fields), revision);
    require(answer.fields.slug === null || answer.fields.slug === code.slug, () =>
      `${code.id} has another slug`);
  }
  if (answer.status !== 404 || revision !== code.face.revision) return;
  require(code.face.possible.some((face) => face.status === "archived"), () =>
    `${code.id} is not found, and was never archived`);
}

/** Puts a code down that was answered with 201. */
export function recordCode(
  world: Scene,
  account: AccountRecord,
  face: CodeFace,
  { fields: { qr_id: id, project_id: projectId } }: Answer,
): CodeRecord {
  const { label } = face;
  const doc = world.store.database.get("codes", id);
  require(doc !== null, () => `${label} was answered and is not stored`);
  const known = account.projects.find((project) => project.id === projectId);
  const code: CodeRecord = {
    accountId: account.id,
    id,
    slug: doc.slug,
    firstLabel: label,
    project: known ?? newlyKnown(world, account, projectId),
    face: new Register(label, face),
    scans: new ScanTally(),
  };
  world.ledger.codes.set(id, code);
  return code;
}

/** The default project of a create whose answer was lost: it was carried out, as it turns out. */
function newlyKnown(world: Scene, account: AccountRecord, id: string): ProjectRecord {
  const { name } = world.store.database.get("projects", id)!;
  world.ledger.projectCreates.set(name, "created");
  const project = { name, id, archived: new Register(`archiving of ${name}`, false) };
  account.projects.push(project);
  return project;
}

export async function changeCode(
  world: Scene,
  account: AccountRecord,
  code: CodeRecord,
  body: Partial<CodeFace>,
): Promise<void> {
  const before = code.face.possible;
  code.face.begin((face) => ({ ...face, ...body }));
  const answer = await callWithKey(world, account, "PATCH", "/v1/qr-codes/:id", { params: [code.id], body });
  if (isUncertain(answer)) code.face.lost();
  else if (answer.status === 200) code.face.answered(faceOf(answer.fields));
  else code.face.refused(before);
}

export function faceOf(fields: CodeFace): CodeFace {
  const { label, status, redirect_url, scan_limit, expires_at } = fields;
  return { label, status, redirect_url, scan_limit, expires_at };
}
