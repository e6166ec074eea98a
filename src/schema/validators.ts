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

/**
 * Unknown keys are ignored everywhere but in a field that is closed, where a mistyped one would silently draw another
 * picture or leave a limit as it was.
 */
function parserOf<N extends keyof Bodies>(
  component: N,
  closed?: keyof Body<N> & keyof typeof checks.validateClosed,
): Parser<Body<N>> {
  const schema = components[component];
  if (!schema) throw new Error(`no component schema describes ${component}`);
  const validate = checks.validateBody[component] as (body: unknown) => IValidation<Body<N>>;
  const parse = (body: unknown): Body<N> => {
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new ApiError("invalid_payload");
    const given = withoutNulls(schema, body);
    const result = validate(given);
    if (!result.success) throw explained(schema, given, result.errors[0]!);
    const parsed = result.data;
    if (closed === undefined || parsed[closed] === undefined) return parsed;
    const inside: IValidation<unknown> = checks.validateClosed[closed](parsed[closed]);
    if (inside.success) return parsed;
    const path = inside.errors[0]!.path.replace("$input", `$input.${closed}`);
    throw explained(schema, parsed, { ...inside.errors[0]!, path });
  };
  return Object.assign(parse, { component });
}

export const parseCreateCode = parserOf("CreateCodeBody", "qr_render_metadata");
export const parseUpdateCode = parserOf("UpdateCodeBody", "qr_render_metadata");
export const parseCreateProject = parserOf("CreateProjectBody");
export const parseUpdateProject = parserOf("UpdateProjectBody");
export const parseCreateAccount = parserOf("CreateAccountBody");
export const parseUpdateAccount = parserOf("UpdateAccountBody", "limits");
export const parseCreateKey = parserOf("CreateKeyBody");
export const parseUpdateKey = parserOf("UpdateKeyBody");
export const parseSignIn = parserOf("SignInBody");
export const parseOneTimeLink = parserOf("OneTimeLinkBody");
export const parseSetPassword = parserOf("SetPasswordBody");
export const parseChangePassword = parserOf("ChangePasswordBody");
export const parseCreateUser = parserOf("CreateUserBody");
export const parseUpdateUser = parserOf("UpdateUserBody");
export const parseUpdateOwnAccount = parserOf("UpdateOwnAccountBody");
export const parseUpdateOwnProject = parserOf("UpdateOwnProjectBody");
export const parseCreateContent = parserOf("CreateContentBody", "qr_render_metadata");
export const parseVisit = parserOf("VisitBody");

/** Throws when a document is not what its collection holds. Called on every write and every read. */
export function assertDocument<C extends Collection>(
  collection: C,
  document: unknown,
): asserts document is Collections[C] {
  if (checks.isStored[collection](document)) return;
  const result: IValidation<unknown> = checks.validateStored[collection](document);
  const mistake = result.success ? undefined : result.errors[0];
  const id = (document as { id?: unknown } | null)?.id;
  const place = mistake?.path.replace(/^\$input\.?/, "") || "document";
  throw new Error(`${collection}/${String(id)}: ${place} must be ${mistake?.expected}`);
}
