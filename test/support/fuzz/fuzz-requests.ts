/**
 * Requests made from the OpenAPI documents: valid ones, and ones with exactly one mistake, each with the answer
 * that is due. A request follows from its dice and the world alone.
 */
import type { Dice } from "../dice.ts";
import type { Sent } from "../wire/keep-alive.ts";
import { type Draft, validDraft } from "./fuzz-draft.ts";
import { type Due, mistakes } from "./fuzz-mistakes.ts";
import type { FuzzOperation } from "./fuzz-operations.ts";
import type { World } from "./fuzz-world.ts";

export interface FuzzRequest extends Sent {
  /** Operation and mistake, for a person. */
  about: string;
  due: Due;
  json: Draft["json"];
}

const validShare = 0.45;

export function requestFor(
  operation: FuzzOperation,
  world: World,
  adminToken: string,
  dice: Dice,
): FuzzRequest {
  const draft = validDraft(operation, world, adminToken, dice);
  let about = "valid";
  let due: Due = { accepted: true };
  if (!dice.chance(validShare)) {
    let made = null;
    while (made === null) made = dice.pick(mistakes)(draft);
    ({ about, due } = made);
  }
  const { method, headers, body, json } = draft;
  const path = operation.template.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.params[name]!);
  const query = draft.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers,
    body,
    about: `${operation.documented.operationId}: ${about}`,
    due,
    json,
  };
}
