/** `/v1/projects`, and the projects of any account for the operator. */

import type { Directory } from "../account/directory.ts";
import { readAccount } from "../domain/account/account-commands.ts";
import { once } from "../domain/account/idempotency.ts";
import { createProject, updateProject } from "../domain/account/project-commands.ts";
import type { ProjectDoc } from "../domain/documents.ts";
import type { CreateProjectBody, UpdateProjectBody } from "../domain/requests.ts";
import type { Call, KeyCall } from "../door/route.ts";
import { type Reply, success, successBody } from "../http/reply.ts";
import { pageSizeDefault } from "../limits.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { idempotencyKey, jsonAnswer, pageSize, pageToken, pathId } from "../openapi/operation.ts";
import type { Random } from "../runtime/random.ts";
import { parsers } from "../schema/validators.ts";
import type { Store } from "../store/store.ts";
import { accountInPath, accountsPath } from "./admin/accounts.ts";
import { listScope, nextToken, type PageTokens, stretchOf } from "./list-pages.ts";
import {
  attemptOf,
  created,
  get,
  operationsFor,
  patch,
  post,
  replayedHeaders,
  type Sent,
  takesJson,
} from "./operation.ts";
import { presentAdminProject, presentProject } from "./present.ts";

export interface ProjectParts {
  store: Pick<Store, "listProjects">;
  directory: Pick<Directory, "run">;
  tokens: PageTokens;
  random: Random;
}

function listProjects({ exchange, accountId }: KeyCall, parts: ProjectParts): Promise<Reply> {
  return pageOfProjects(accountId, listScope("projects", accountId), presentProject, exchange, parts);
}

function listAccountProjects({ exchange }: Call, parts: ProjectParts): Promise<Reply> {
  const accountId = exchange.params[0]!;
  return pageOfProjects(
    accountId,
    listScope("admin projects", accountId),
    presentAdminProject,
    exchange,
    parts,
  );
}

export async function pageOfProjects(
  accountId: string,
  scope: string,
  present: (project: ProjectDoc, isDefault: boolean) => object,
  { requestId, query }: Call["exchange"],
  { store, directory, tokens }: Omit<ProjectParts, "random">,
): Promise<Reply> {
  const account = await directory.run(accountId, readAccount());
  const page = await store.listProjects(accountId, stretchOf(query, pageSizeDefault, tokens, scope));
  return success(requestId, {
    items: page.items.map((project) => present(project, project.id === account.default_project_id)),
    next_page_token: nextToken(page, tokens, scope),
  });
}

async function postProject(
  { exchange, accountId, via }: KeyCall,
  { directory, random }: ProjectParts,
  { value, bytes }: Sent<CreateProjectBody>,
): Promise<Reply> {
  const attempt = attemptOf(exchange, "POST /v1/projects", bytes);
  const command = once(attempt, createProject(value, random, via), ({ project, isDefault }) =>
    successBody(exchange.requestId, presentProject(project, isDefault)),
  );
  return created(await directory.run(accountId, command));
}

async function patchProject(
  { exchange }: Call,
  { directory }: ProjectParts,
  { value }: Sent<UpdateProjectBody>,
): Promise<Reply> {
  const [accountId, projectId] = exchange.params as [string, string];
  const { project, isDefault } = await directory.run(accountId, updateProject(projectId, value));
  return success(exchange.requestId, presentAdminProject(project, isDefault));
}

export const projectOperations = operationsFor({ tag: "Projects", access: "key" }, [
  {
    id: "listProjects",
    ...get("/v1/projects"),
    summary: "List projects",
    description: "Newest first. A `page_size` of 0 or less counts as 20.",
    parameters: [pageSize, pageToken],
    handler: listProjects,
    answers: [jsonAnswer(200, "A page of projects.", "ProjectListAnswer", answerExamples.projects)],
  },
  {
    id: "createProject",
    ...post("/v1/projects"),
    summary: "Create a project",
    parameters: [idempotencyKey],
    ...takesJson(parsers.CreateProjectBody, { project: requestExamples.createProject }, postProject),
    answers: [jsonAnswer(201, "The project.", "ProjectAnswer", answerExamples.project, replayedHeaders)],
    errors: ["quota_exceeded_projects"],
  },
]);

const projectInPath = pathId("project_id", "The project.", answerExamples.project.project_id);

export const adminProjectOperations = operationsFor({ tag: "Projects", access: "admin" }, [
  {
    id: "listAccountProjects",
    ...get(`${accountsPath}/{account_id}/projects`),
    summary: "List the projects of an account",
    parameters: [accountInPath, pageSize, pageToken],
    handler: listAccountProjects,
    answers: [jsonAnswer(200, "A page of projects.", "AdminProjectListAnswer", answerExamples.adminProjects)],
    errors: ["account_not_found"],
  },
  {
    id: "updateProject",
    ...patch(`${accountsPath}/{account_id}/projects/{project_id}`),
    summary: "Archive, unarchive or rename a project",
    parameters: [accountInPath, projectInPath],
    ...takesJson(parsers.UpdateProjectBody, { archive: requestExamples.updateProject }, patchProject),
    answers: [jsonAnswer(200, "The project.", "AdminProjectAnswer", answerExamples.adminProject)],
    errors: ["account_not_found", "project_not_found"],
  },
]);
