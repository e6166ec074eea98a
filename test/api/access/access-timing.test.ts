/**
 * The time of an answer tells no more than its text: whether another account's object exists, or how much of a
 * key was guessed right. The two kinds of request take turns on one connection, and their medians are compared;
 * the bound is wide and there are three tries, since other work on the machine falls on both alike but not
 * evenly.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startServer } from "../../support/server.ts";
import { keepAlive, type Sent } from "../../support/wire/keep-alive.ts";

const samples = 300;
const warmUp = 60;
const tries = 3;
const ratioMin = 0.7;
const ratioMax = 1.4;
const objects = 6;

const server = await startServer();
const limits = { per_minute: 1e6, burst: 1e6 };
const [owner, stranger] = [await server.newAccount(), await server.newAccount({ limits })];
const each = Array.from({ length: objects });
const codes = await Promise.all(each.map(() => owner.api.createRendered()));
const codeIds = codes.map(({ qr_id }) => qr_id);
const slugs = codes.map(({ slug }) => slug);
const projects = each.map(() => owner.api.post("/v1/projects", { name: "mine" }, 201));
const projectIds = (await Promise.all(projects)).map(({ body }) => body.project_id);
const wire = keepAlive(server.url, 1);
after(() => wire.close());

type Make = (id: string) => Sent;

async function timed(sent: Sent, status: number): Promise<number> {
  const began = performance.now();
  const answer = await wire.send(sent);
  const ms = performance.now() - began;
  assert.equal(answer.status, status, answer.body.toString());
  return ms;
}

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1]!;

/** Median milliseconds of the one kind and of the other. */
async function medians(
  one: readonly Sent[],
  other: readonly Sent[],
  status: number,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < samples; round++) {
    const at = (round + warmUp) % one.length;
    const pair = [one[at]!, other[at]!];
    // Whichever comes second finds the caches as the first left them.
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const ms = await timed(pair[which]!, status);
      if (round >= 0) times[which].push(ms);
    }
  }
  return [median(times[0]), median(times[1])];
}

/** Answers what was measured, for the report. */
async function assertAlike(one: readonly Sent[], other: readonly Sent[], status: number): Promise<string> {
  const found: string[] = [];
  while (found.length < tries) {
    const [a, b] = await medians(one, other, status);
    found.push(`medians ${a.toFixed(3)} and ${b.toFixed(3)} ms, ratio ${(a / b).toFixed(2)}`);
    if (a / b > ratioMin && a / b < ratioMax) return found.at(-1)!;
  }
  assert.fail(found.join("; then "));
}

/** Ids of the same form that nothing has. */
const missing = (ids: readonly string[]) => ids.map((id) => `${id.slice(0, -5)}00000`);
const json = { "content-type": "application/json" };
const key = () => ({ "x-api-key": stranger.key });

const lookUps: Record<string, [ids: () => string[], make: Make]> = {
  "reading a code": [
    () => codeIds,
    (id) => ({ method: "GET", path: `/v1/qr-codes/${id}`, headers: key(), body: null }),
  ],
  "changing a code": [
    () => codeIds,
    (id) => ({
      method: "PATCH",
      path: `/v1/qr-codes/${id}`,
      headers: { ...key(), ...json },
      body: '{"label":"x"}',
    }),
  ],
  "finding a code by its slug": [
    () => slugs,
    (slug) => ({ method: "GET", path: `/v1/qr-codes/find?slug=${slug}`, headers: key(), body: null }),
  ],
  "listing a project": [
    () => projectIds,
    (id) => ({ method: "GET", path: `/v1/qr-codes?project_id=${id}`, headers: key(), body: null }),
  ],
  "creating in a project": [
    () => projectIds,
    (id) => ({
      method: "POST",
      path: "/v1/qr-codes",
      headers: { ...key(), ...json },
      body: JSON.stringify({ redirect_url: "https://example.com/", project_id: id }),
    }),
  ],
};

for (const [name, [ids, make]] of Object.entries(lookUps)) {
  test(`another account's object takes as long as none: ${name}`, async (t) => {
    t.diagnostic(await assertAlike(ids().map(make), missing(ids()).map(make), 404));
  });
}

test("a key that is almost right takes as long as one that is all wrong", async (t) => {
  const withKey = (text: string): Sent => ({
    method: "GET",
    path: "/v1/projects",
    headers: { "x-api-key": text },
    body: null,
  });
  const letters = [..."0123456789ab"];
  const last = owner.key.at(-1)!;
  const close = letters.map((letter) => `${owner.key.slice(0, -1)}${letter === last ? "z" : letter}`);
  const far = letters.map((letter) => `api_live_${letter.repeat(32)}`);
  t.diagnostic(await assertAlike(close.map(withKey), far.map(withKey), 401));
});

test("an admin token cannot be guessed often enough for its time to be measured", async () => {
  const guess = (token: string): Sent => ({
    method: "GET",
    path: "/admin/v1/accounts",
    headers: { authorization: `Bearer ${token}` },
    body: null,
  });
  for (let guesses = 0; guesses < 10; guesses++) await timed(guess(`wrong-token-number-${guesses}`), 401);
  await timed(guess("wrong-token-number-10"), 429);
});
