/** The checks at the two doors: of request bodies as they come in, of documents as they are stored and read. */
import type { IValidation } from "typia";
import { ApiError } from "../domain/errors.ts";
import type { Collection, Collections } from "../store/store.ts";
import { components } from "./components.ts";
import * as checks from "./generated/checks.ts";
import { refusal } from "./refusal.ts";
import type {
  CreateAccountBody,
  CreateCodeBody,
  CreateKeyBody,
  CreateProjectBody,
  RenderMetadataInput,
  UpdateAccountBody,
  UpdateCodeBody,
  UpdateProjectBody,
} from "./requests.ts";

function parserOf<T extends object>(name: string, validate: (body: unknown) => IValidation<T>) {
  const schema = components[name];
  if (!schema) throw new Error(`no component schema describes ${name}`);
  return (body: unknown): T => {
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new ApiError("invalid_payload");
    const result = validate(body);
    if (result.success) return result.data;
    throw refusal(schema, body, result.errors[0]!);
  };
}

/** Unknown keys are ignored everywhere but here, where a mistyped one would silently draw another picture. */
function refuseUnknownMetadata<T extends { qr_render_metadata?: RenderMetadataInput }>(body: T): T {
  if (body.qr_render_metadata === undefined) return body;
  const result = checks.validateRenderMetadata(body.qr_render_metadata);
  if (result.success) return body;
  const path = result.errors[0]!.path.replace("$input", "$input.qr_render_metadata");
  throw refusal(components.CreateCodeBody!, body, { ...result.errors[0]!, path });
}

const createCode = parserOf<CreateCodeBody>("CreateCodeBody", checks.validateCreateCode);
const updateCode = parserOf<UpdateCodeBody>("UpdateCodeBody", checks.validateUpdateCode);

export const parseCreateCode = (body: unknown): CreateCodeBody => refuseUnknownMetadata(createCode(body));
export const parseUpdateCode = (body: unknown): UpdateCodeBody => refuseUnknownMetadata(updateCode(body));
export const parseCreateProject = parserOf<CreateProjectBody>(
  "CreateProjectBody",
  checks.validateCreateProject,
);
export const parseCreateAccount = parserOf<CreateAccountBody>(
  "CreateAccountBody",
  checks.validateCreateAccount,
);
export const parseUpdateAccount = parserOf<UpdateAccountBody>(
  "UpdateAccountBody",
  checks.validateUpdateAccount,
);
export const parseCreateKey = parserOf<CreateKeyBody>("CreateKeyBody", checks.validateCreateKey);
export const parseUpdateProject = parserOf<UpdateProjectBody>(
  "UpdateProjectBody",
  checks.validateUpdateProject,
);

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
