/** The checks at the two doors: of request bodies as they come in, of documents as they are stored and read. */
import type { IValidation } from "typia";
import type {
  ChangePasswordBody,
  CreateContentBody,
  CreateUserBody,
  OneTimeLinkBody,
  SetPasswordBody,
  SignInBody,
  UpdateOwnAccountBody,
  UpdateOwnProjectBody,
  UpdateUserBody,
  VisitBody,
} from "../domain/dashboard-requests.ts";
import { ApiError } from "../domain/errors.ts";
import type {
  CreateAccountBody,
  CreateCodeBody,
  CreateKeyBody,
  CreateProjectBody,
  UpdateAccountBody,
  UpdateCodeBody,
  UpdateKeyBody,
  UpdateProjectBody,
} from "../domain/requests.ts";
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

function parserOf<T extends object>(
  component: string,
  validate: (body: unknown) => IValidation<T>,
): Parser<T> {
  const schema = components[component];
  if (!schema) throw new Error(`no component schema describes ${component}`);
  const parse = (body: unknown): T => {
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new ApiError("invalid_payload");
    const given = withoutNulls(schema, body);
    const result = validate(given);
    if (result.success) return result.data;
    throw explained(schema, given, result.errors[0]!);
  };
  return Object.assign(parse, { component });
}

/**
 * Unknown keys are ignored everywhere but in these objects, where a mistyped one would silently draw another picture
 * or leave a limit as it was.
 */
function closing<T extends object>(
  parse: Parser<T>,
  field: string & keyof T,
  validate: (value: unknown) => IValidation<unknown>,
): Parser<T> {
  const { component } = parse;
  const parseClosed = (body: unknown): T => {
    const parsed = parse(body);
    if (parsed[field] === undefined) return parsed;
    const result = validate(parsed[field]);
    if (result.success) return parsed;
    const path = result.errors[0]!.path.replace("$input", `$input.${field}`);
    throw explained(components[component]!, parsed, { ...result.errors[0]!, path });
  };
  return Object.assign(parseClosed, { component });
}

const createCode = parserOf<CreateCodeBody>("CreateCodeBody", checks.validateCreateCode);
const updateCode = parserOf<UpdateCodeBody>("UpdateCodeBody", checks.validateUpdateCode);
const updateAccount = parserOf<UpdateAccountBody>("UpdateAccountBody", checks.validateUpdateAccount);
const looks = checks.validateRenderMetadata;

export const parseCreateCode = closing(createCode, "qr_render_metadata", looks);
export const parseUpdateCode = closing(updateCode, "qr_render_metadata", looks);
export const parseCreateProject = parserOf<CreateProjectBody>(
  "CreateProjectBody",
  checks.validateCreateProject,
);
export const parseCreateAccount = parserOf<CreateAccountBody>(
  "CreateAccountBody",
  checks.validateCreateAccount,
);
export const parseUpdateAccount = closing(updateAccount, "limits", checks.validateLimits);
export const parseCreateKey = parserOf<CreateKeyBody>("CreateKeyBody", checks.validateCreateKey);
export const parseUpdateKey = parserOf<UpdateKeyBody>("UpdateKeyBody", checks.validateUpdateKey);
export const parseUpdateProject = parserOf<UpdateProjectBody>(
  "UpdateProjectBody",
  checks.validateUpdateProject,
);

export const parseSignIn = parserOf<SignInBody>("SignInBody", checks.validateSignIn);
export const parseOneTimeLink = parserOf<OneTimeLinkBody>("OneTimeLinkBody", checks.validateOneTimeLink);
export const parseSetPassword = parserOf<SetPasswordBody>("SetPasswordBody", checks.validateSetPassword);
export const parseChangePassword = parserOf<ChangePasswordBody>(
  "ChangePasswordBody",
  checks.validateChangePassword,
);
export const parseCreateUser = parserOf<CreateUserBody>("CreateUserBody", checks.validateCreateUser);
export const parseUpdateUser = parserOf<UpdateUserBody>("UpdateUserBody", checks.validateUpdateUser);
export const parseUpdateOwnAccount = parserOf<UpdateOwnAccountBody>(
  "UpdateOwnAccountBody",
  checks.validateUpdateOwnAccount,
);
export const parseUpdateOwnProject = parserOf<UpdateOwnProjectBody>(
  "UpdateOwnProjectBody",
  checks.validateUpdateOwnProject,
);
const createContent = parserOf<CreateContentBody>("CreateContentBody", checks.validateCreateContent);
export const parseCreateContent = closing(createContent, "qr_render_metadata", looks);
export const parseVisit = parserOf<VisitBody>("VisitBody", checks.validateVisit);

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
