/** The checks at the two doors: of request bodies as they come in, of documents as they are stored and read. */
import type { IValidation } from "typia";
import { ApiError } from "../domain/errors.ts";
import type { Collection, Collections } from "../store/store.ts";
import { components } from "./components.ts";
import * as checks from "./generated/checks.ts";
import { withoutNulls } from "./left-out.ts";
import { explained } from "./mistake.ts";

/** The check of a request body, with the name of the component that describes the body. */
export interface Parser<T> {
  (body: unknown): T;
  readonly component: string;
}

type Bodies = typeof checks.validateBody;
type Body<N extends keyof Bodies> = Bodies[N] extends (body: never) => IValidation<infer T> ? T : never;

type Closed = keyof typeof checks.validateClosed;

/**
 * Unknown keys are ignored everywhere but in a field that is closed, where a mistyped one would silently draw another
 * picture or leave a limit as it was.
 */
function parserOf<N extends keyof Bodies>(component: N): Parser<Body<N>> {
  const schema = components[component];
  if (!schema) throw new Error(`no component schema describes ${component}`);
  const validate = checks.validateBody[component] as (body: unknown) => IValidation<Body<N>>;
  const closed = (Object.keys(checks.validateClosed) as Closed[]).find((field) => schema.properties?.[field]);
  const parse = (body: unknown): Body<N> => {
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new ApiError("invalid_payload");
    const given = withoutNulls(schema, body);
    const result = validate(given);
    if (!result.success) throw explained(schema, given, result.errors[0]!);
    const field = closed && (result.data as Record<Closed, unknown>)[closed];
    if (closed === undefined || field === undefined) return result.data;
    const inside: IValidation<unknown> = checks.validateClosed[closed](field);
    if (inside.success) return result.data;
    const path = inside.errors[0]!.path.replace("$input", `$input.${closed}`);
    throw explained(schema, result.data, { ...inside.errors[0]!, path });
  };
  return Object.assign(parse, { component });
}

/** By the name of the component that describes the body. */
export const parsers = Object.fromEntries(
  (Object.keys(checks.validateBody) as (keyof Bodies)[]).map((component) => [component, parserOf(component)]),
) as unknown as { readonly [N in keyof Bodies]: Parser<Body<N>> };

export const collections = Object.keys(checks.validateStored) as Collection[];

/** Throws when a document is not what its collection holds. Called on every write and every read. */
export function assertDocument<C extends Collection>(
  collection: C,
  document: unknown,
): asserts document is Collections[C] {
  const result: IValidation<unknown> = checks.validateStored[collection](document);
  if (result.success) return;
  const mistake = result.errors[0];
  const id = (document as { id?: unknown } | null)?.id;
  const place = mistake?.path.replace(/^\$input\.?/, "") || "document";
  throw new Error(`${collection}/${String(id)}: ${place} must be ${mistake?.expected}`);
}
