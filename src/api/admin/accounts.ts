/** `/admin/v1/accounts`: the owners of all that there is, for the operator. */

import type { Directory } from "../../account/directory.ts";
import { newAccount, readAccount, updateAccount } from "../../domain/account/account-commands.ts";
import { type Plans, shownLimits } from "../../domain/account/plans.ts";
import type { AccountDoc } from "../../domain/documents.ts";
import type { CreateAccountBody, UpdateAccountBody } from "../../domain/requests.ts";
import type { Call, UserCall } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { pageSizeDefault } from "../../limits.ts";
import { answerExamples, requestExamples } from "../../openapi/examples.ts";
import { jsonAnswer, pageSize, pageToken, pathId } from "../../openapi/operation.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import { parsers } from "../../schema/validators.ts";
import type { Store } from "../../store/store.ts";
import { listScope, nextToken, type PageTokens, stretchOf } from "../list-pages.ts";
import { get, operationsFor, patch, post, type Sent, takesJson } from "../operation.ts";
import { presentAccount } from "../present.ts";

export interface AccountParts {
  store: Pick<Store, "listAccounts">;
  directory: Pick<Directory, "run" | "create" | "usage">;
  plans: Plans;
  tokens: PageTokens;
  clock: Clock;
  random: Random;
}

async function listAccounts({ exchange }: Call, parts: AccountParts): Promise<Reply> {
  const { store, tokens } = parts;
  const scope = listScope("accounts");
  const page = await store.listAccounts(stretchOf(exchange.query, pageSizeDefault, tokens, scope));
  return success(exchange.requestId, {
    items: await Promise.all(page.items.map((account) => accountFields(account, parts))),
    next_page_token: nextToken(page, tokens, scope),
  });
}

async function postAccount(
  { exchange }: Call,
  parts: AccountParts,
  { value }: Sent<CreateAccountBody>,
): Promise<Reply> {
  const { account, writes } = newAccount(value, parts.plans, parts.clock.now(), parts.random);
  await parts.directory.create(writes);
  return success(exchange.requestId, await accountFields(account, parts), 201);
}

async function getAccount({ exchange }: Call, parts: AccountParts): Promise<Reply> {
  const account = await parts.directory.run(exchange.params[0]!, readAccount());
  return success(exchange.requestId, await accountFields(account, parts));
}

async function patchAccount(
  { exchange }: Call,
  parts: AccountParts,
  { value }: Sent<UpdateAccountBody>,
): Promise<Reply> {
  const account = await parts.directory.run(exchange.params[0]!, updateAccount(value, parts.plans));
  return success(exchange.requestId, await accountFields(account, parts));
}

export async function accountFields(
  account: AccountDoc,
  { directory, plans }: Pick<AccountParts, "plans"> & { directory: Pick<Directory, "usage"> },
) {
  const usage = await directory.usage(account.id);
  return presentAccount(account, shownLimits(account, plans), plans.has(account.plan), usage);
}

/** Of which account: of the one in the path for the operator; of their own for owners, whose paths name none. */
export function ofAccount(call: Call | UserCall): {
  accountId: string;
  id: string;
  by: "operator" | "owner";
} {
  const { params } = call.exchange;
  if ("accountId" in call) return { accountId: call.accountId, id: params[0]!, by: "owner" };
  return { accountId: params[0]!, id: params[1]!, by: "operator" };
}

export const accountsPath = "/admin/v1/accounts";
export const accountInPath = pathId("account_id", "The account.", answerExamples.account.account_id);

const theAccount = jsonAnswer(200, "The account.", "AccountAnswer", answerExamples.account);

export const accountOperations = operationsFor({ tag: "Accounts", access: "admin" }, [
  {
    id: "listAccounts",
    ...get(accountsPath),
    summary: "List accounts",
    parameters: [pageSize, pageToken],
    handler: listAccounts,
    answers: [
      jsonAnswer(200, "A page of accounts, newest first.", "AccountListAnswer", answerExamples.accounts),
    ],
  },
  {
    id: "createAccount",
    ...post(accountsPath),
    summary: "Create an account with its default project",
    ...takesJson(parsers.CreateAccountBody, { account: requestExamples.createAccount }, postAccount),
    answers: [{ ...theAccount, status: 201, example: answerExamples.newAccount }],
  },
  {
    id: "getAccount",
    ...get(`${accountsPath}/{account_id}`),
    summary: "Read an account and its usage",
    parameters: [accountInPath],
    handler: getAccount,
    answers: [theAccount],
    errors: ["account_not_found"],
  },
  {
    id: "updateAccount",
    ...patch(`${accountsPath}/{account_id}`),
    summary: "Change an account",
    description: "Only the fields that are sent change. `limits` overrides single limits of the plan.",
    parameters: [accountInPath],
    ...takesJson(parsers.UpdateAccountBody, { limits: requestExamples.updateAccount }, patchAccount),
    answers: [theAccount],
    errors: ["account_not_found"],
  },
]);
