/** What typia turns into code: the checks of request bodies and of stored documents. */
import typia from "typia";
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
} from "../../domain/dashboard-requests.ts";
import type {
  AccountDoc,
  AnswerDoc,
  CodeDoc,
  FileDoc,
  KeyDoc,
  ProjectDoc,
  SessionDoc,
  UserDoc,
} from "../../domain/documents.ts";
import type {
  CreateAccountBody,
  CreateCodeBody,
  CreateKeyBody,
  CreateProjectBody,
  LimitsInput,
  RenderMetadataInput,
  UpdateAccountBody,
  UpdateCodeBody,
  UpdateKeyBody,
  UpdateProjectBody,
} from "../../domain/requests.ts";

export const validateCreateCode = typia.createValidate<CreateCodeBody>();
export const validateUpdateCode = typia.createValidate<UpdateCodeBody>();
export const validateRenderMetadata = typia.createValidateEquals<RenderMetadataInput>();
export const validateCreateProject = typia.createValidate<CreateProjectBody>();
export const validateCreateAccount = typia.createValidate<CreateAccountBody>();
export const validateUpdateAccount = typia.createValidate<UpdateAccountBody>();
export const validateLimits = typia.createValidateEquals<LimitsInput>();
export const validateCreateKey = typia.createValidate<CreateKeyBody>();
export const validateUpdateKey = typia.createValidate<UpdateKeyBody>();
export const validateUpdateProject = typia.createValidate<UpdateProjectBody>();
export const validateSignIn = typia.createValidate<SignInBody>();
export const validateOneTimeLink = typia.createValidate<OneTimeLinkBody>();
export const validateSetPassword = typia.createValidate<SetPasswordBody>();
export const validateChangePassword = typia.createValidate<ChangePasswordBody>();
export const validateCreateUser = typia.createValidate<CreateUserBody>();
export const validateUpdateUser = typia.createValidate<UpdateUserBody>();
export const validateUpdateOwnAccount = typia.createValidate<UpdateOwnAccountBody>();
export const validateUpdateOwnProject = typia.createValidate<UpdateOwnProjectBody>();
export const validateCreateContent = typia.createValidate<CreateContentBody>();
export const validateVisit = typia.createValidate<VisitBody>();

export const isStored = {
  accounts: typia.createIs<AccountDoc>(),
  keys: typia.createIs<KeyDoc>(),
  projects: typia.createIs<ProjectDoc>(),
  codes: typia.createIs<CodeDoc>(),
  answers: typia.createIs<AnswerDoc>(),
  files: typia.createIs<FileDoc>(),
  users: typia.createIs<UserDoc>(),
  sessions: typia.createIs<SessionDoc>(),
};

export const validateStored = {
  accounts: typia.createValidate<AccountDoc>(),
  keys: typia.createValidate<KeyDoc>(),
  projects: typia.createValidate<ProjectDoc>(),
  codes: typia.createValidate<CodeDoc>(),
  answers: typia.createValidate<AnswerDoc>(),
  files: typia.createValidate<FileDoc>(),
  users: typia.createValidate<UserDoc>(),
  sessions: typia.createValidate<SessionDoc>(),
};
