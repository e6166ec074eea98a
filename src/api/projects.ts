/** `/v1/projects` */

import { readAccount } from "../domain/account/account-commands.ts";
import { once } from "../domain/account/idempotency.ts";
import { createProject } from "../domain/account/project-commands.ts";
import type { Reply } from "../http/exchange.ts";
import { success, successBody } from "../http/reply.ts";
import { pageSizeDefault } from "../limits.ts";
import { parseCreateProject } from "../schema/validators.ts";
import type { KeyCall } from "./call.ts";
import { attemptOf, created } from "./idempotent-create.ts";
import { listScope, nextToken, stretchOf } from "./list-pages.ts";
import { presentProject } from "./present.ts";

export async function listProjects({ exchange, services, accountId }: KeyCall): Promise<Reply> {
  const { store, directory, tokens } = services;
  const scope = listScope("projects", accountId);
  const account = await directory.run(accountId, readAccount());
  const page = await store.listProjects(accountId, stretchOf(exchange.query, pageSizeDefault, tokens, scope));
  return success(exchange.requestId, {
    items: page.items.map((project) => presentProject(project, project.id === account.default_project_id)),
    next_page_token: nextToken(page, tokens, scope),
  });
}

export async function postProject(call: KeyCall): Promise<Reply> {
  const { exchange, services, accountId } = call;
  const { value, bytes } = await call.json();
  const create = createProject(parseCreateProject(value), services.random);
  const attempt = attemptOf(exchange, "POST /v1/projects", bytes);
  const command = once(attempt, create, ({ project, isDefault }) =>
    successBody(exchange.requestId, presentProject(project, isDefault)),
  );
  return created(await services.directory.run(accountId, command));
}
