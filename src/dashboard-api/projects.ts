/** `/dashboard/api/projects`: the account's projects with what the public API does not tell or change. */

import type { Directory } from "../account/directory.ts";
import { listScope, type PageTokens } from "../api/list-pages.ts";
import { get, operationsFor, patch, type Sent, takesJson } from "../api/operation.ts";
import { presentAdminProject } from "../api/present.ts";
import { pageOfProjects } from "../api/projects.ts";
import { updateOwnProject } from "../domain/account/project-commands.ts";
import type { UpdateOwnProjectBody } from "../domain/dashboard-requests.ts";
import type { UserCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { jsonAnswer, pageSize, pageToken, pathId } from "../openapi/operation.ts";
import { parsers } from "../schema/validators.ts";
import type { Store } from "../store/store.ts";

export interface OwnProjectParts {
  store: Pick<Store, "listProjects">;
  directory: Pick<Directory, "run">;
  tokens: PageTokens;
}

function listProjects({ exchange, accountId }: UserCall, parts: OwnProjectParts): Promise<Reply> {
  const scope = listScope("own projects", accountId);
  return pageOfProjects(accountId, scope, presentAdminProject, exchange, parts);
}

async function patchProject(
  { exchange, accountId }: UserCall,
  { directory }: OwnProjectParts,
  { value }: Sent<UpdateOwnProjectBody>,
): Promise<Reply> {
  const { project, isDefault } = await directory.run(accountId, updateOwnProject(exchange.params[0]!, value));
  return success(exchange.requestId, presentAdminProject(project, isDefault));
}

export const ownProjectOperations = operationsFor({ tag: "Projects", access: "user" }, [
  {
    id: "listOwnProjects",
    ...get("/dashboard/api/projects"),
    summary: "List projects, archived ones included",
    description: "Newest first.",
    parameters: [pageSize, pageToken],
    handler: listProjects,
    answers: [jsonAnswer(200, "A page of projects.", "AdminProjectListAnswer", answerExamples.adminProjects)],
  },
  {
    id: "updateOwnProject",
    ...patch("/dashboard/api/projects/{project_id}"),
    summary: "Rename, describe, archive or unarchive a project, or make it the default",
    parameters: [pathId("project_id", "The project.", answerExamples.project.project_id)],
    ...takesJson(parsers.UpdateOwnProjectBody, { rename: requestExamples.updateOwnProject }, patchProject),
    answers: [jsonAnswer(200, "The project.", "AdminProjectAnswer", answerExamples.adminProject)],
    errors: ["project_not_found"],
  },
]);
