/** What owners of an account do beside its codes: users, keys, and the account itself. */

import type { Directory } from "../account/directory.ts";
import { accountFields, accountInPath, accountsPath } from "../api/admin/accounts.ts";
import { type KeyParts, keyOperations } from "../api/admin/keys.ts";
import { type UserParts, userOperations } from "../api/admin/users.ts";
import { type AdminOperation, type Operation, patch, type Sent, takesJson } from "../api/operation.ts";
import { updateAccount } from "../domain/account/account-commands.ts";
import type { Plans } from "../domain/account/plans.ts";
import type { UpdateOwnAccountBody } from "../domain/dashboard-requests.ts";
import type { UserCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { jsonAnswer, type OperationDescription } from "../openapi/operation.ts";
import { parsers } from "../schema/validators.ts";

export interface OwnerParts extends UserParts, KeyParts {
  directory: Pick<Directory, "run" | "account" | "usage" | "keyUsage">;
  plans: Plans;
}

/** Plan and limits are the operator's to change. */
async function patchAccount(
  { exchange, accountId }: UserCall,
  parts: OwnerParts,
  { value: { name, timezone } }: Sent<UpdateOwnAccountBody>,
): Promise<Reply> {
  const changes = { ...(name !== undefined && { name }), ...(timezone !== undefined && { timezone }) };
  const account = await parts.directory.run(accountId, updateAccount(changes, parts.plans));
  return success(exchange.requestId, await accountFields(account, parts));
}

/** What is said or refused otherwise than to the operator, by the operator's id of it. */
const otherwise: Record<
  string,
  Partial<Pick<OperationDescription, "summary" | "description" | "answers" | "errors">>
> = {
  listUsers: { summary: "List the users of the account" },
  createUser: { description: "The answer is the only place where the one-time link is shown." },
  updateUser: { errors: ["user_not_found", "last_owner"] },
  removeUser: { errors: ["user_not_found", "last_owner"] },
  listKeys: {
    summary: "List the keys of the account, with what they have asked for",
    answers: [jsonAnswer(200, "The keys.", "OwnKeyListAnswer", answerExamples.ownKeys)],
  },
  createKey: { answers: [jsonAnswer(201, "The key.", "OwnKeyCreatedAnswer", answerExamples.ownKeyCreated)] },
  updateKey: { answers: [jsonAnswer(200, "The record of the key.", "OwnKeyAnswer", answerExamples.ownKey)] },
  revokeKey: {
    answers: [jsonAnswer(200, "The record of the revoked key.", "OwnKeyAnswer", answerExamples.ownKey)],
  },
};

/** An operation of the operator on any account as owners have it on their own: `listOwnUsers` of `listUsers`. */
function own<P>({ parameters, ...operation }: AdminOperation<P>): Operation<P> {
  const others = (parameters ?? []).filter((parameter) => parameter !== accountInPath);
  return {
    ...operation,
    id: operation.id.replace(/^[a-z]+/, "$&Own"),
    path: operation.path.replace(`${accountsPath}/{account_id}`, "/dashboard/api"),
    tag: "Owner",
    access: "owner",
    ...(others.length > 0 && { parameters: others }),
    errors: (operation.errors ?? []).filter((code) => code !== "account_not_found"),
    ...otherwise[operation.id],
  };
}

export const ownerOperations: readonly Operation<OwnerParts>[] = [
  ...userOperations.map((operation) => own(operation)),
  ...keyOperations.map((operation) => own(operation)),
  {
    id: "updateOwnAccount",
    ...patch("/dashboard/api/account"),
    tag: "Owner",
    summary: "Change the account's name or time zone",
    access: "owner",
    ...takesJson(parsers.UpdateOwnAccountBody, { account: requestExamples.updateOwnAccount }, patchAccount),
    answers: [jsonAnswer(200, "The account.", "AccountAnswer", answerExamples.account)],
  },
];
