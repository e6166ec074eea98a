/** A valid request that is not put together yet, so that a mistake can still be made in any part of it. */
import type { Schema } from "../../../src/schema/components.ts";
import type { Dice } from "../dice.ts";
import { bodyOf, type FuzzOperation } from "./fuzz-operations.ts";
import type { Caller, World } from "./fuzz-world.ts";
import { textOf, validValue } from "./schema-generator.ts";
import { repairsFor } from "./schema-repairs.ts";

export interface Draft {
  operation: FuzzOperation;
  dice: Dice;
  caller: Caller;
  method: string;
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** The JSON in the body, when it is JSON, and whether the document allows it. */
  json: { value: unknown; schema: Schema; fits: boolean } | null;
}

export function validDraft(operation: FuzzOperation, world: World, adminToken: string, dice: Dice): Draft {
  const { documented, method, template, schemas } = operation;
  const caller = dice.pick(world.callers);
  const kept = dice.pick(world.kept);
  const settled = dice.pick(caller.settled);
  const changing = dice.pick(caller.changing);
  const changes = documented.operationId === "updateQrCode" ? changing : null;
  const [, , , file] = new URL(settled.file_url_svg).pathname.split("/");
  const known: Record<string, string | undefined> = {
    id: (changes ?? settled).qr_id,
    slug: settled.slug,
    file,
    script: dice.pick(world.scripts),
    qr_id: isOfCaller(template) ? settled.qr_id : dice.pick(kept.codeIds),
    account_id:
      documented.operationId === "updateAccount" ? dice.pick(world.changingAccountIds) : kept.accountId,
    key_id: dice.pick(kept.keyIds),
    project_id: dice.pick(isOfCaller(template) ? caller.projectIds : kept.projectIds),
    user_id: dice.pick(kept.userIds),
  };
  const draft: Draft = {
    operation,
    dice,
    caller,
    method,
    params: {},
    query: [],
    headers: {},
    body: null,
    json: null,
  };
  const scheme = Object.keys(documented.security[0] ?? {})[0];
  if (scheme === "ApiKey") draft.headers["x-api-key"] = caller.key;
  if (scheme === "AdminToken" || scheme === "MetricsToken")
    draft.headers.authorization = `Bearer ${adminToken}`;
  // Where there is a page and nothing else, it has to be asked for.
  const types = Object.keys(documented.responses[200]?.content ?? {});
  if (types.length === 1 && types[0] === "text/html") draft.headers.accept = "text/html";
  for (const parameter of documented.parameters ?? []) {
    const { name } = parameter;
    if (parameter.in === "path") {
      if (known[name] === undefined) throw new Error(`no value is known for the path parameter ${name}`);
      draft.params[name] = known[name];
    } else if (parameter.required || dice.chance(0.4)) {
      if (parameter.in === "header") draft.headers[name.toLowerCase()] = headerValue(name, dice);
      else draft.query.push(...queryValues(name, caller, settled.slug, dice));
    }
  }
  const body = bodyOf(documented);
  if (body !== null && (body.required || dice.chance(0.8))) {
    const repairs = repairsFor({ projectIds: caller.projectIds, changes });
    setJson(draft, validValue(body.schema, { schemas, repairs, dice }), body.schema, true);
    if (dice.chance(0.02)) addOddities(draft);
  }
  return draft;
}

/** Others are the operator's, and speak of accounts that are kept for that. */
function isOfCaller(template: string): boolean {
  return template.startsWith("/files/") || template.startsWith("/v2/");
}

export function setJson(draft: Draft, value: unknown, schema: Schema, fits: boolean): void {
  draft.headers["content-type"] = draft.dice.pick([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
  ]);
  draft.body = JSON.stringify(value);
  draft.json = { value, schema, fits };
}

/** What a parser may stumble over and a client may send. */
function addOddities(draft: Draft): void {
  const rest = String(draft.body).slice(1);
  const odd = draft.dice.pick([
    '"__proto__":{"name":1,"redirect_url":1}',
    `"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    '"":1e400',
  ]);
  draft.body = `{${odd}${rest === "}" ? "" : ","}${rest}`;
}

function headerValue(name: string, dice: Dice): string {
  if (name !== "Idempotency-Key") throw new Error(`no value is known for the header ${name}`);
  const chars = dice.chance(0.1) ? 255 : dice.between(16, 40);
  return Array.from({ length: chars }, () => String.fromCharCode(dice.between(0x21, 0x7e))).join("");
}

/** The contract: these are never refused, whatever they are. */
export const oddQueryValues = [
  "",
  "0",
  "-1",
  "101",
  "1.5",
  "1e3",
  "NaN",
  "Infinity",
  "999999999999999999999",
  "null",
  "' OR 1=1",
  "\u0000",
  "%",
  "é",
  "🙂",
  "a".repeat(2_000),
  "..",
  "{}",
  "[]",
];

function queryValues(name: string, caller: Caller, slug: string, dice: Dice): [string, string][] {
  switch (name) {
    case "slug":
      return [[name, slug]];
    case "project_id":
      return [[name, dice.pick([...caller.projectIds, ""])]];
    case "status": {
      const all = ["active", "archived", "blocked", "unheard-of", ""];
      return all.filter(() => dice.chance(0.5)).map((status) => [name, status]);
    }
    case "page_size":
    case "page_token":
    case "type":
    case "label_contains":
    case "download":
      return [[name, dice.pick(["1", "50", "url", textOf(3, dice), ...oddQueryValues])]];
    case "from":
      return [[name, dice.pick(["", daysFromNow(-dice.between(2, 30)), daysFromNow(-2).slice(0, 10)])]];
    case "to":
      return [[name, dice.pick(["", daysFromNow(dice.between(1, 30)), daysFromNow(2).slice(0, 10)])]];
    case "timezone":
      return [[name, dice.pick(["", "UTC", "Europe/Berlin", "Asia/Kolkata", "America/Santiago"])]];
    case "interval":
      return [[name, dice.pick(["", "hour", "day", "week", "month"])]];
    case "robots":
      return [[name, dice.pick(["", "exclude", "include", "only"])]];
    case "limit":
      return [[name, dice.pick(["", "1", "17", "100"])]];
    default:
      throw new Error(`no value is known for the query parameter ${name}`);
  }
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
