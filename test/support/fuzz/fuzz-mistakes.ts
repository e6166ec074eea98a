/** What can be wrong with a request, one thing at a time, and the refusal that is then due. */
import type { Schema } from "../../../src/schema/components.ts";
import { type Draft, oddQueryValues, setJson } from "./fuzz-draft.ts";
import { bodyOf } from "./fuzz-operations.ts";
import { target } from "./schema-generator.ts";
import { mutated } from "./schema-mutations.ts";

export type Due =
  | { accepted: true }
  /** `names`: what the message has to start with. */
  | { accepted: false; status: number; codes: readonly string[]; names?: string };

/** Makes one mistake, and says what it is and what is due. Null when this request has no place for it. */
export type Mistake = (draft: Draft) => { about: string; due: Due } | null;

const wrongField: Mistake = (draft) => {
  const body = bodyOf(draft.operation.documented);
  if (body === null || draft.json === null) return null;
  const { schemas } = draft.operation;
  const mutant = mutated(body.schema, draft.json.value, schemas, draft.dice) ?? emptied(body.schema, draft);
  if (mutant === null) return null;
  setJson(draft, mutant.value, body.schema, false);
  return {
    about: `${mutant.field} ${mutant.mistake}`,
    due: { accepted: false, status: 400, codes: ["invalid_request"], names: mutant.refusal },
  };
};

/** Without any field, what is required is missing. */
function emptied(schema: Schema, { operation }: Draft) {
  const first = target(schema, operation.schemas).required?.[0];
  return first === undefined
    ? null
    : { mistake: "missing", field: first, refusal: `${first} is required`, value: {} };
}

const wrongForm: Mistake = (draft) => {
  const { dice, operation } = draft;
  const documented = bodyOf(operation.documented);
  if (documented === null) return null;
  const text = String(draft.body ?? '{"name":"x"}');
  const forms: Record<string, string | Buffer> = {
    "cut off": text.slice(0, -1),
    "more behind it": `${text}}`,
    "in an array": `[${text}]`,
    "a scalar": dice.pick(["null", "true", "7", '"text"', "NaN", "undefined"]),
    "single quotes": text.replaceAll('"', "'") === text ? "{'a':1}" : text.replaceAll('"', "'"),
    "not UTF-8": Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ]),
    "byte order mark of another encoding": Buffer.from(`\ufeff${text}`, "utf16le"),
    "too large": `{"name":"${"x".repeat(66_000)}"}`,
    ...(documented.required && { empty: "" }),
  };
  const [about, body] = dice.pick([...Object.entries(forms), ["wrong content type", text] as const]);
  draft.headers["content-type"] = "application/json";
  if (about === "wrong content type") {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "text/json",
      "application/json; charset=latin1",
      "",
      "multipart/form-data; boundary=x",
    ];
    draft.headers["content-type"] = dice.pick(types);
  }
  draft.body = body;
  draft.json = null;
  const isLarge = about === "too large";
  const codes = [isLarge ? "payload_too_large" : "invalid_payload"];
  return { about: `body ${about}`, due: { accepted: false, status: isLarge ? 413 : 400, codes } };
};

const notFoundCodes = [
  "qr_not_found",
  "project_not_found",
  "account_not_found",
  "key_not_found",
  "user_not_found",
  "not_found",
];
const oddIds = [
  "nothing",
  "null",
  "-1",
  "%",
  "%00",
  "%ff",
  "%2e%2e",
  "..%2f..%2f",
  "%F0%9F%99%82",
  "*",
  "'",
  "a%20b",
  "__proto__",
  "constructor",
  "x".repeat(3_000),
  "qr-0000000000",
  "qr_00000000000000000000",
];

const wrongPath: Mistake = (draft) => {
  const names = Object.keys(draft.params);
  if (names.length === 0) return null;
  const name = draft.dice.pick(names);
  const right = draft.params[name]!;
  const near = [`${right}x`, right.slice(0, -1), encodeURIComponent(`${right} `)];
  // A link may be typed in capitals.
  if (name !== "slug") near.push(right.toUpperCase());
  draft.params[name] = draft.dice.pick([...oddIds, ...near]);
  return {
    about: `path parameter ${name}`,
    due: { accepted: false, status: 404, codes: notFoundCodes },
  };
};

/** Anything that they cannot be is refused. */
const checkedParameters = ["from", "to", "timezone", "interval", "robots", "limit"];

function wrongChecked(draft: Draft, name: string) {
  draft.query = draft.query.filter(([other]) => other !== name);
  draft.query.push([name, draft.dice.pick(oddQueryValues.filter((value) => value !== ""))]);
  const due: Due = { accepted: false, status: 400, codes: ["invalid_request"], names: `${name} ` };
  return { about: `odd ${name}`, due };
}

const wrongQuery: Mistake = (draft) => {
  const { documented } = draft.operation;
  const names = (documented.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);
  const checked = names.filter((each) => checkedParameters.includes(each));
  if (checked.length > 0) return wrongChecked(draft, draft.dice.pick(checked));
  const name = names.find((each) => each === "slug" || each === "project_id");
  if (name === undefined) return null;
  draft.query = draft.query.filter(([other]) => other !== name);
  const isMissing = name === "slug" && draft.dice.chance(0.3);
  if (isMissing) {
    if (draft.dice.chance(0.5)) draft.query.push([name, ""]);
    return {
      about: `${name} missing`,
      due: { accepted: false, status: 400, codes: ["invalid_request"], names: `${name} ` },
    };
  }
  draft.query.push([name, draft.dice.pick(oddQueryValues.filter((value) => value !== ""))]);
  return { about: `unknown ${name}`, due: { accepted: false, status: 404, codes: notFoundCodes } };
};

const wrongHeader: Mistake = (draft) => {
  const names = (draft.operation.documented.parameters ?? []).filter((each) => each.in === "header");
  if (names.length === 0) return null;
  const { name } = draft.dice.pick(names);
  draft.headers[name.toLowerCase()] = draft.dice.pick([
    "x".repeat(256),
    "two words",
    "a\u00e9b",
    "tab\there",
  ]);
  return {
    about: `bad ${name}`,
    due: { accepted: false, status: 400, codes: ["invalid_request"], names: `${name} ` },
  };
};

const wrongMethod: Mistake = (draft) => {
  draft.method = draft.dice.pick(draft.operation.otherMethods);
  draft.body = null;
  draft.json = null;
  delete draft.headers["content-type"];
  return {
    about: `method ${draft.method}`,
    due: { accepted: false, status: 405, codes: ["method_not_allowed"] },
  };
};

const noKey: Mistake = (draft) => {
  if (draft.operation.documented.security.length === 0) return null;
  delete draft.headers["x-api-key"];
  delete draft.headers.authorization;
  return { about: "without a key", due: { accepted: false, status: 401, codes: ["unauthorized"] } };
};

const often = (mistake: Mistake, times: number) => Array.from({ length: times }, () => mistake);

/** A body has the most places where something can be wrong. */
export const mistakes: readonly Mistake[] = [
  ...often(wrongField, 10),
  ...often(wrongForm, 2),
  ...often(wrongPath, 3),
  ...often(wrongQuery, 3),
  wrongHeader,
  wrongMethod,
  noKey,
];
