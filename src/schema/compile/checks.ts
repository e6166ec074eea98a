/** What typia turns into code: the checks of request bodies and of stored documents. */
import typia from "typia";
import type * as ofPages from "../../domain/dashboard-requests.ts";
import type * as documents from "../../domain/documents.ts";
import type * as requests from "../../domain/requests.ts";

/** By the name of the component that describes the body. */
export const validateBody = {
  CreateCodeBody: typia.createValidate<requests.CreateCodeBody>(),
  UpdateCodeBody: typia.createValidate<requests.UpdateCodeBody>(),
  CreateProjectBody: typia.createValidate<requests.CreateProjectBody>(),
  UpdateProjectBody: typia.createValidate<requests.UpdateProjectBody>(),
  CreateAccountBody: typia.createValidate<requests.CreateAccountBody>(),
  UpdateAccountBody: typia.createValidate<requests.UpdateAccountBody>(),
  CreateKeyBody: typia.createValidate<requests.CreateKeyBody>(),
  UpdateKeyBody: typia.createValidate<requests.UpdateKeyBody>(),
  SignInBody: typia.createValidate<ofPages.SignInBody>(),
  OneTimeLinkBody: typia.createValidate<ofPages.OneTimeLinkBody>(),
  SetPasswordBody: typia.createValidate<ofPages.SetPasswordBody>(),
  ChangePasswordBody: typia.createValidate<ofPages.ChangePasswordBody>(),
  CreateUserBody: typia.createValidate<ofPages.CreateUserBody>(),
  UpdateUserBody: typia.createValidate<ofPages.UpdateUserBody>(),
  UpdateOwnAccountBody: typia.createValidate<ofPages.UpdateOwnAccountBody>(),
  UpdateOwnProjectBody: typia.createValidate<ofPages.UpdateOwnProjectBody>(),
  CreateContentBody: typia.createValidate<ofPages.CreateContentBody>(),
  VisitBody: typia.createValidate<ofPages.VisitBody>(),
};

/** Of fields whose unknown keys are refused. */
export const validateClosed = {
  qr_render_metadata: typia.createValidateEquals<requests.RenderMetadataInput>(),
  limits: typia.createValidateEquals<requests.LimitsInput>(),
};

export const validateStored = {
  accounts: typia.createValidate<documents.AccountDoc>(),
  keys: typia.createValidate<documents.KeyDoc>(),
  projects: typia.createValidate<documents.ProjectDoc>(),
  codes: typia.createValidate<documents.CodeDoc>(),
  answers: typia.createValidate<documents.AnswerDoc>(),
  files: typia.createValidate<documents.FileDoc>(),
  users: typia.createValidate<documents.UserDoc>(),
  sessions: typia.createValidate<documents.SessionDoc>(),
};
