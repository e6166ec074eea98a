/** The operator's API: accounts, keys, archived projects, the safety re-scan and its undoing. */
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import {
  type Answer,
  type Operation,
  pageSize,
  pageToken,
  pathId,
  thisDocument,
} from "../openapi/operation.ts";

export const adminTags = [
  { name: "Accounts", description: "Owners of projects, codes and keys." },
  { name: "Keys", description: "Credentials of the public API." },
  { name: "Projects", description: "Projects of any account, archived ones included." },
  { name: "Safety", description: "Checks of targets against the block list." },
  { name: "Service", description: "Documentation. No token is needed." },
];

const root = "/admin/v1/accounts";
const accountId = pathId("account_id", "The account.", answerExamples.account.account_id);
const keyId = pathId("key_id", "The key.", answerExamples.key.key_id);
const codeId = pathId("qr_id", "The QR code.", answerExamples.code.qr_id);
const projectId = pathId("project_id", "The project.", answerExamples.project.project_id);

function answer(status: number, description: string, component: string, example: unknown): readonly Answer[] {
  return [{ status, description, component, example }];
}

const accounts: Operation[] = [
  {
    id: "listAccounts",
    method: "get",
    path: root,
    tag: "Accounts",
    summary: "List accounts",
    access: "admin",
    parameters: [pageSize, pageToken],
    answers: answer(200, "A page of accounts, newest first.", "AccountListAnswer", answerExamples.accounts),
    errors: [],
  },
  {
    id: "createAccount",
    method: "post",
    path: root,
    tag: "Accounts",
    summary: "Create an account with its default project",
    access: "admin",
    body: {
      component: "CreateAccountBody",
      required: true,
      examples: { account: { summary: "An account", value: requestExamples.createAccount } },
    },
    answers: answer(201, "The account.", "AccountAnswer", answerExamples.newAccount),
    errors: [],
  },
  {
    id: "getAccount",
    method: "get",
    path: `${root}/{account_id}`,
    tag: "Accounts",
    summary: "Read an account and its usage",
    access: "admin",
    parameters: [accountId],
    answers: answer(200, "The account.", "AccountAnswer", answerExamples.account),
    errors: ["account_not_found"],
  },
  {
    id: "updateAccount",
    method: "patch",
    path: `${root}/{account_id}`,
    tag: "Accounts",
    summary: "Change an account",
    description: "Only the fields that are sent change. `limits` overrides single limits of the plan.",
    access: "admin",
    parameters: [accountId],
    body: {
      component: "UpdateAccountBody",
      required: true,
      examples: {
        limits: { summary: "A higher burst than the plan has", value: requestExamples.updateAccount },
      },
    },
    answers: answer(200, "The account.", "AccountAnswer", answerExamples.account),
    errors: ["account_not_found"],
  },
];

const keys: Operation[] = [
  {
    id: "listKeys",
    method: "get",
    path: `${root}/{account_id}/keys`,
    tag: "Keys",
    summary: "List the keys of an account",
    description: "Revoked ones included, oldest first.",
    access: "admin",
    parameters: [accountId],
    answers: answer(200, "The keys.", "KeyListAnswer", answerExamples.keys),
    errors: ["account_not_found"],
  },
  {
    id: "createKey",
    method: "post",
    path: `${root}/{account_id}/keys`,
    tag: "Keys",
    summary: "Create a key",
    description: "The answer is the only place where the key itself is shown.",
    access: "admin",
    parameters: [accountId],
    body: {
      component: "CreateKeyBody",
      required: false,
      examples: { key: { summary: "A key", value: requestExamples.createKey } },
    },
    answers: answer(201, "The key.", "KeyCreatedAnswer", answerExamples.keyCreated),
    errors: ["account_not_found", "api_access_disabled", "quota_exceeded_keys"],
  },
  {
    id: "revokeKey",
    method: "delete",
    path: `${root}/{account_id}/keys/{key_id}`,
    tag: "Keys",
    summary: "Revoke a key, at once and for good",
    access: "admin",
    parameters: [accountId, keyId],
    answers: answer(200, "The record of the revoked key.", "KeyAnswer", answerExamples.key),
    errors: ["account_not_found", "key_not_found"],
  },
];

const projects: Operation[] = [
  {
    id: "listAccountProjects",
    method: "get",
    path: `${root}/{account_id}/projects`,
    tag: "Projects",
    summary: "List the projects of an account",
    access: "admin",
    parameters: [accountId, pageSize, pageToken],
    answers: answer(200, "A page of projects.", "AdminProjectListAnswer", answerExamples.adminProjects),
    errors: ["account_not_found"],
  },
  {
    id: "updateProject",
    method: "patch",
    path: `${root}/{account_id}/projects/{project_id}`,
    tag: "Projects",
    summary: "Archive, unarchive or rename a project",
    access: "admin",
    parameters: [accountId, projectId],
    body: {
      component: "UpdateProjectBody",
      required: true,
      examples: { archive: { summary: "Archive", value: requestExamples.updateProject } },
    },
    answers: answer(200, "The project.", "AdminProjectAnswer", answerExamples.adminProject),
    errors: ["account_not_found", "project_not_found"],
  },
];

const safety: Operation[] = [
  {
    id: "rescan",
    method: "post",
    path: "/admin/v1/safety/rescan",
    tag: "Safety",
    summary: "Check all codes against the block list now",
    description:
      "Active codes that lead somewhere unsafe are blocked. Blocked ones that do not any more are let go, as far as the remote check agrees and there is room under the cap. A change of the block list does the same by itself.",
    access: "admin",
    answers: answer(200, "What was found.", "RescanAnswer", answerExamples.rescan),
    errors: [],
  },
  {
    id: "unblockCode",
    method: "post",
    path: `${root}/{account_id}/qr-codes/{qr_id}/unblock`,
    tag: "Safety",
    summary: "Put a blocked code back into service",
    description:
      "Its targets must be safe again, and it uses quota like a new code. One that its owner has archived stays archived, and can be activated from now on. A code that is not blocked stays as it is.",
    access: "admin",
    parameters: [accountId, codeId],
    answers: answer(200, "The code.", "CodeAnswer", answerExamples.code),
    errors: ["account_not_found", "api_access_disabled", "qr_not_found", "quota_exceeded_qr", "unsafe_url"],
  },
];

export const adminOperations: readonly Operation[] = [
  ...accounts,
  ...keys,
  ...projects,
  ...safety,
  thisDocument("getAdminOpenapi", "/admin/openapi.json"),
];
