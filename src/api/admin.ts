/** `/admin/v1`: what a dashboard would do. */
import { hashKey } from "../account/directory.ts";
import {
  createKey,
  listKeys,
  newAccount,
  readAccount,
  revokeKey,
  updateAccount,
} from "../domain/account/account-commands.ts";
import { shownLimits } from "../domain/account/plans.ts";
import { updateProject } from "../domain/account/project-commands.ts";
import { unblockCode } from "../domain/code/code-commands.ts";
import type { AccountDoc } from "../domain/documents.ts";
import type { Reply } from "../http/exchange.ts";
import { success } from "../http/reply.ts";
import { pageSizeDefault } from "../limits.ts";
import { withRemoteCheck } from "../safety/remote-check.ts";
import {
  parseCreateAccount,
  parseCreateKey,
  parseUpdateAccount,
  parseUpdateProject,
} from "../schema/validators.ts";
import type { Call, Services } from "./call.ts";
import { listScope, nextToken, stretchOf } from "./list-pages.ts";
import { presentAccount, presentAdminProject, presentCode, presentKey } from "./present.ts";

export async function postAccount({ exchange, services, json }: Call): Promise<Reply> {
  const { directory, plans, clock, random } = services;
  const body = parseCreateAccount((await json()).value);
  const { account, writes } = newAccount(body, plans, clock.now(), random);
  await directory.create(writes);
  return success(exchange.requestId, await accountFields(account, services), 201);
}

export async function listAccounts({ exchange, services }: Call): Promise<Reply> {
  const { store, tokens } = services;
  const scope = listScope("accounts");
  const page = await store.listAccounts(stretchOf(exchange.query, pageSizeDefault, tokens, scope));
  return success(exchange.requestId, {
    items: await Promise.all(page.items.map((account) => accountFields(account, services))),
    next_page_token: nextToken(page, tokens, scope),
  });
}

export async function getAccount({ exchange, services }: Call): Promise<Reply> {
  const account = await services.directory.run(exchange.params[0]!, readAccount());
  return success(exchange.requestId, await accountFields(account, services));
}

export async function patchAccount({ exchange, services, json }: Call): Promise<Reply> {
  const command = updateAccount(parseUpdateAccount((await json()).value), services.plans);
  const account = await services.directory.run(exchange.params[0]!, command);
  return success(exchange.requestId, await accountFields(account, services));
}

export async function postKey({ exchange, services, json }: Call): Promise<Reply> {
  const { name } = parseCreateKey((await json()).value);
  const command = createKey(name ?? "", services.random, hashKey);
  const { key, record } = await services.directory.run(exchange.params[0]!, command);
  return success(exchange.requestId, { ...presentKey(record), key }, 201);
}

export async function getKeys({ exchange, services }: Call): Promise<Reply> {
  const keys = await services.directory.run(exchange.params[0]!, listKeys());
  return success(exchange.requestId, { items: keys.map(presentKey) });
}

export async function deleteKey({ exchange, services }: Call): Promise<Reply> {
  const [accountId, keyId] = exchange.params as [string, string];
  return success(exchange.requestId, presentKey(await services.directory.run(accountId, revokeKey(keyId))));
}

export async function getAccountProjects({ exchange, services }: Call): Promise<Reply> {
  const { store, directory, tokens } = services;
  const accountId = exchange.params[0]!;
  const account = await directory.run(accountId, readAccount());
  const scope = listScope("admin projects", accountId);
  const page = await store.listProjects(accountId, stretchOf(exchange.query, pageSizeDefault, tokens, scope));
  return success(exchange.requestId, {
    items: page.items.map((project) =>
      presentAdminProject(project, project.id === account.default_project_id),
    ),
    next_page_token: nextToken(page, tokens, scope),
  });
}

export async function patchProject({ exchange, services, json }: Call): Promise<Reply> {
  const [accountId, projectId] = exchange.params as [string, string];
  const command = updateProject(projectId, parseUpdateProject((await json()).value));
  const { project, isDefault } = await services.directory.run(accountId, command);
  return success(exchange.requestId, presentAdminProject(project, isDefault));
}

/** What the remote check is asked about is what is stored; the account's actor then has the last word. */
export async function postUnblock({ exchange, services }: Call): Promise<Reply> {
  const { store, directory, links, renders, publicUrl } = services;
  const [accountId, codeId] = exchange.params as [string, string];
  const stored = await store.get("codes", codeId);
  const isTheirs = stored?.account_id === accountId;
  const targets = isTheirs && stored.blocked ? stored : {};
  const fields = await withRemoteCheck(services.fields, services.remoteCheck, targets);
  const code = await directory.run(accountId, unblockCode(codeId, fields));
  const life = {
    scanCount: await links.scanCount(code.slug),
    isRendering: renders.isRendering(code.id),
    publicUrl,
  };
  return success(exchange.requestId, presentCode(code, life));
}

export async function postRescan({ exchange, services }: Call): Promise<Reply> {
  return success(exchange.requestId, await services.safety.rescan());
}

async function accountFields(account: AccountDoc, { directory, plans }: Services) {
  const usage = await directory.usage(account.id);
  return presentAccount(account, shownLimits(account, plans), plans.has(account.plan), usage);
}
