/**
 * Requests that are generated from the served OpenAPI documents, valid and with one mistake each, against the
 * service as a process of its own: it never fails, never answers outside its documents, accepts what they
 * allow and refuses what they forbid.
 *
 * FUZZ_SEED and FUZZ_REQUESTS choose other and more requests; FUZZ_FIRST begins with a later one of the seed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { adminOpenapiDocument, openapiDocument } from "../../src/api/operations.ts";
import type { OpenapiDocument } from "../../src/openapi/document.ts";
import { Client } from "../support/client.ts";
import { assertInContract } from "../support/contract.ts";
import { dice } from "../support/dice.ts";
import { temporaryFolder } from "../support/endings.ts";
import { operationsOf, pickOperation } from "../support/fuzz/fuzz-operations.ts";
import { type FuzzRequest, requestFor } from "../support/fuzz/fuzz-requests.ts";
import { failedRenders, makeWorld } from "../support/fuzz/fuzz-world.ts";
import { documentAllows } from "../support/fuzz/request-schemas.ts";
import { refusedCreates, target } from "../support/fuzz/schema-exceptions.ts";
import { spawnService } from "../support/process.ts";
import { freePort } from "../support/wire/free-port.ts";
import { curlLine, keepAlive, type Received } from "../support/wire/keep-alive.ts";

const seed = Number(process.env.FUZZ_SEED ?? 1);
const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const first = Number(process.env.FUZZ_FIRST ?? 0);
const connections = 32;
const failuresShown = 10;
const publicUrl = "https://qr.fuzz.test";
const adminToken = "fuzz-admin-token-0123456789";

const service = spawnService({
  DATA_DIR: temporaryFolder(),
  PORT: String(await freePort()),
  PUBLIC_URL: publicUrl,
  ADMIN_TOKEN: adminToken,
  QRELAY_BOOTSTRAP: "off",
  LOG_LEVEL: "error",
});
const url = await service.ready();
const world = await makeWorld(url, adminToken);
const served = ["/openapi.json", "/admin/openapi.json"].map(async (path) => (await fetch(url + path)).json());
const documents = (await Promise.all(served)) as OpenapiDocument[];
const api = new Client(url, { "x-api-key": world.callers[0]!.key });
const admin = new Client(url, { authorization: `Bearer ${adminToken}` });

test("the documents that are served are those that answers are held against", () => {
  assert.deepEqual(
    documents,
    JSON.parse(JSON.stringify([openapiDocument(publicUrl), adminOpenapiDocument(publicUrl)])),
  );
});

test("generated requests get the answers that the documents promise", async (t) => {
  // Whoever is removed is not there for the next request, however valid that is.
  const operations = operationsOf(documents).filter(
    ({ documented }) => documented.operationId !== "removeUser",
  );
  const wire = keepAlive(url, connections);
  const failures: string[] = [];
  const byStatus: Record<number, number> = {};
  const accepted = new Set<string>();
  const refused = new Set<string>();
  let next = first;
  let valid = 0;
  const began = performance.now();

  async function worker(): Promise<void> {
    while (next < first + requests && failures.length < failuresShown) {
      const number = next++;
      const chance = dice(seed, number);
      const operation = pickOperation(operations, chance);
      const request = requestFor(operation, world, adminToken, chance);
      try {
        assertAsDocumented(request);
        const answer = await wire.send(request);
        byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
        assertDue(request, answer);
      } catch (cause) {
        failures.push(report(number, request, cause as Error));
      }
      if (request.due.accepted) valid++;
      (request.due.accepted ? accepted : refused).add(operation.documented.operationId);
    }
  }
  await Promise.all(Array.from({ length: connections }, worker));
  wire.close();

  const seconds = (performance.now() - began) / 1000;
  t.diagnostic(
    `${next - first} requests, ${valid} of them valid, in ${seconds.toFixed(1)} s; ${JSON.stringify(byStatus)}`,
  );
  assert.equal(service.child.exitCode, null, `the process ended: ${service.errors()}`);
  assert.equal(failures.length, 0, `\n${failures.join("\n\n")}\n`);
  assert.equal(service.errors(), "", "the process complained");
  assert.deepEqual(await failedRenders(url, world), []);
  if (requests < 10_000) return;
  const all = operations.map(({ documented }) => documented.operationId).sort();
  assert.deepEqual([...accepted].sort(), all, "every operation was called");
  assert.deepEqual([...refused].sort(), all, "every operation has refused");
});

for (const [name, [body, field, status = 400]] of Object.entries(refusedCreates)) {
  test(`no schema says it, yet it is refused: ${name}`, async () => {
    assert.ok(allows("CreateCodeBody", body));
    const answer = await api.post("/v1/qr-codes", body, status);
    assert.ok(answer.body.message.startsWith(field), answer.body.message);
  });
}

test("no schema says it, yet it is refused: another target for a code that has none", async () => {
  assert.ok(allows("UpdateCodeBody", target));
  const textCode = world.callers[0]!.settled.find(({ type }) => type === "text");
  const { body } = await api.patch(`/v1/qr-codes/${textCode.qr_id}`, target, 400);
  assert.match(body.message, /^redirect_url /);
});

test("no schema says it, yet it is refused: names of plans and time zones that are not there", async () => {
  for (const [field, value] of [
    ["plan", "gold"],
    ["timezone", "Mars/Olympus"],
  ] as const) {
    const body = { name: "A", [field]: value };
    assert.ok(allows("CreateAccountBody", body));
    const answer = await admin.post("/admin/v1/accounts", body, 400);
    assert.ok(answer.body.message.startsWith(`${field} `), answer.body.message);
  }
});

test("the schema is narrower, yet it is accepted: any page size, a time without seconds, an empty idempotency key", async () => {
  await api.get("/v1/qr-codes?page_size=many", 200);
  const untilNoon = { ...target, expires_at: "2030-01-31T12:00Z" };
  assert.ok(!allows("CreateCodeBody", untilNoon));
  const { body } = await api.post("/v1/qr-codes", untilNoon, 201);
  assert.equal(body.expires_at, "2030-01-31T12:00:00.000Z");
  const keyless = { "idempotency-key": "" };
  const first = await api.post("/v1/projects", { name: "x" }, 201, keyless);
  const second = await api.post("/v1/projects", { name: "x" }, 201, keyless);
  assert.notEqual(first.body.project_id, second.body.project_id);
});

function allows(component: string, value: unknown): boolean {
  return documentAllows(documents, { $ref: `#/components/schemas/${component}` }, value);
}

/** The generator must not fool itself: what it calls valid fits the document, what it calls a mistake does not. */
function assertAsDocumented({ json }: FuzzRequest): void {
  if (json === null) return;
  const allowed = documentAllows(documents, json.schema, json.value);
  assert.equal(
    allowed,
    json.fits,
    `the generator says ${json.fits ? "valid" : "invalid"}, the document otherwise`,
  );
}

function assertDue({ method, path, due }: FuzzRequest, { status, headers, body }: Received): void {
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  const parsed = isJson && body.length > 0 ? JSON.parse(body.toString()) : null;
  assertInContract({ method, path, status, headers, body: parsed ?? body });
  if (due.accepted) {
    assert.ok(status < 400, `refused: ${status} ${body}`);
    return;
  }
  assert.equal(status, due.status, `due is ${due.status} ${due.codes}: ${body}`);
  if (method === "HEAD") return;
  assert.ok(due.codes.includes(parsed.code), `due is ${due.codes}: ${body}`);
  if (due.names !== undefined) {
    assert.ok(
      parsed.message.startsWith(due.names),
      `the message must begin with "${due.names}": ${parsed.message}`,
    );
  }
}

function report(number: number, request: FuzzRequest, cause: Error): string {
  const replay = `FUZZ_SEED=${seed} FUZZ_FIRST=${number} FUZZ_REQUESTS=1 npx tsx --test test/schema/schema-fuzz.test.ts`;
  return `${request.about}\n${cause.message}\n${curlLine(url, request)}\nagain: ${replay}`;
}
