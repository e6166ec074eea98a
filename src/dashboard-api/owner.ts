/** What owners of an account do beside its codes: users, keys, and the account itself. */

import { type Directory, hashKey } from "../account/directory.ts";
import { accountFields } from "../api/admin/accounts.ts";
import { type Operation, type Sent, takesJson } from "../api/operation.ts";
import { presentInvited, presentKey, presentUser } from "../api/present.ts";
import {
  createKey,
  listKeys,
  renameKey,
  revokeKey,
  updateAccount,
} from "../domain/account/account-commands.ts";
import type { Plans } from "../domain/account/plans.ts";
import type { CreateUserBody, UpdateOwnAccountBody, UpdateUserBody } from "../domain/dashboard-requests.ts";
import type { KeyDoc } from "../domain/documents.ts";
import type { CreateKeyBody, UpdateKeyBody } from "../domain/requests.ts";
import type { UserCall } from "../door/route.ts";
import { type Reply, success } from "../http/reply.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { jsonAnswer, pathId } from "../openapi/operation.ts";
import type { People } from "../people/people.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import type { OwnKey } from "../schema/dashboard-responses.ts";
import {
  parseCreateKey,
  parseCreateUser,
  parseUpdateKey,
  parseUpdateOwnAccount,
  parseUpdateUser,
} from "../schema/validators.ts";

export interface OwnerParts {
  people: Pick<People, "usersOf" | "create" | "changeRole" | "reset" | "remove">;
  directory: Pick<Directory, "run" | "usage" | "keyUsage">;
  plans: Plans;
  publicUrl: string;
  clock: Clock;
  random: Random;
}

async function listUsers({ exchange, accountId }: UserCall, { people, clock }: OwnerParts): Promise<Reply> {
  const users = await people.usersOf(accountId);
  return success(exchange.requestId, { items: users.map((user) => presentUser(user, clock.now())) });
}

async function postUser(
  { exchange, accountId }: UserCall,
  { people, publicUrl, clock }: OwnerParts,
  { value }: Sent<CreateUserBody>,
): Promise<Reply> {
  const invited = await people.create({ accountId, email: value.email, role: value.role ?? "member" });
  return success(exchange.requestId, presentInvited(invited, publicUrl, clock.now()), 201);
}

async function patchUser(
  { exchange, accountId }: UserCall,
  { people, clock }: OwnerParts,
  { value }: Sent<UpdateUserBody>,
): Promise<Reply> {
  const user = await people.changeRole(accountId, exchange.params[0]!, value.role, "owner");
  return success(exchange.requestId, presentUser(user, clock.now()));
}

async function resetUser(
  { exchange, accountId }: UserCall,
  { people, publicUrl, clock }: OwnerParts,
): Promise<Reply> {
  const invited = await people.reset(accountId, exchange.params[0]!);
  return success(exchange.requestId, presentInvited(invited, publicUrl, clock.now()));
}

async function deleteUser({ exchange, accountId }: UserCall, { people, clock }: OwnerParts): Promise<Reply> {
  const user = await people.remove(accountId, exchange.params[0]!, "owner");
  return success(exchange.requestId, presentUser(user, clock.now()));
}

async function getKeys({ exchange, accountId }: UserCall, parts: OwnerParts): Promise<Reply> {
  const keys = await parts.directory.run(accountId, listKeys());
  return success(exchange.requestId, { items: await withUsage(accountId, keys, parts) });
}

async function postKey(
  { exchange, accountId }: UserCall,
  parts: OwnerParts,
  { value }: Sent<CreateKeyBody>,
): Promise<Reply> {
  const command = createKey(value.name ?? "", parts.random, hashKey);
  const { key, record } = await parts.directory.run(accountId, command);
  const [shown] = await withUsage(accountId, [record], parts);
  return success(exchange.requestId, { ...shown, key }, 201);
}

async function patchKey(
  { exchange, accountId }: UserCall,
  parts: OwnerParts,
  { value }: Sent<UpdateKeyBody>,
): Promise<Reply> {
  const record = await parts.directory.run(accountId, renameKey(exchange.params[0]!, value.name));
  const [shown] = await withUsage(accountId, [record], parts);
  return success(exchange.requestId, { ...shown });
}

async function deleteKey({ exchange, accountId }: UserCall, parts: OwnerParts): Promise<Reply> {
  const record = await parts.directory.run(accountId, revokeKey(exchange.params[0]!));
  const [shown] = await withUsage(accountId, [record], parts);
  return success(exchange.requestId, { ...shown });
}

async function withUsage(accountId: string, keys: KeyDoc[], { directory }: OwnerParts): Promise<OwnKey[]> {
  const usage = await directory.keyUsage(accountId);
  return keys.map((key) => {
    const used = usage.get(key.id);
    const figures = { requests_this_minute: used?.minute ?? 0, requests_this_day: used?.day ?? 0 };
    return { ...presentKey(key), ...figures };
  });
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

const userInPath = pathId("user_id", "The user.", answerExamples.user.user_id);
const keyInPath = pathId("key_id", "The key.", answerExamples.key.key_id);
const invited = jsonAnswer(200, "The user.", "InvitedUserAnswer", answerExamples.invitedUser);

export const ownerOperations: readonly Operation<OwnerParts>[] = [
  {
    id: "listOwnUsers",
    method: "GET",
    path: "/dashboard/api/users",
    tag: "Owner",
    summary: "List the users of the account",
    description: "Oldest first.",
    access: "owner",
    handler: listUsers,
    answers: [jsonAnswer(200, "The users.", "UserListAnswer", answerExamples.users)],
    errors: [],
  },
  {
    id: "createOwnUser",
    method: "POST",
    path: "/dashboard/api/users",
    tag: "Owner",
    summary: "Create a user",
    description: "The answer is the only place where the one-time link is shown.",
    access: "owner",
    ...takesJson(
      parseCreateUser,
      { required: true, examples: { user: { summary: "An owner", value: requestExamples.createUser } } },
      postUser,
    ),
    answers: [{ ...invited, status: 201 }],
    errors: ["email_taken", "quota_exceeded_users"],
  },
  {
    id: "updateOwnUser",
    method: "PATCH",
    path: "/dashboard/api/users/{user_id}",
    tag: "Owner",
    summary: "Change the role of a user",
    description: "It holds at once, for sessions that are open too.",
    access: "owner",
    parameters: [userInPath],
    ...takesJson(
      parseUpdateUser,
      { required: true, examples: { role: { summary: "An owner", value: requestExamples.updateUser } } },
      patchUser,
    ),
    answers: [jsonAnswer(200, "The user.", "UserAnswer", answerExamples.user)],
    errors: ["user_not_found", "last_owner"],
  },
  {
    id: "resetOwnUser",
    method: "POST",
    path: "/dashboard/api/users/{user_id}/reset",
    tag: "Owner",
    summary: "Make a new one-time link for a user",
    description: "Any earlier link is over. The password stays until the link is used.",
    access: "owner",
    parameters: [userInPath],
    handler: resetUser,
    answers: [invited],
    errors: ["user_not_found"],
  },
  {
    id: "removeOwnUser",
    method: "DELETE",
    path: "/dashboard/api/users/{user_id}",
    tag: "Owner",
    summary: "Remove a user, whose sessions end at once",
    access: "owner",
    parameters: [userInPath],
    handler: deleteUser,
    answers: [jsonAnswer(200, "The user who was removed.", "UserAnswer", answerExamples.user)],
    errors: ["user_not_found", "last_owner"],
  },
  {
    id: "listOwnKeys",
    method: "GET",
    path: "/dashboard/api/keys",
    tag: "Owner",
    summary: "List the keys of the account, with what they have asked for",
    description: "Revoked ones included, oldest first.",
    access: "owner",
    handler: getKeys,
    answers: [jsonAnswer(200, "The keys.", "OwnKeyListAnswer", answerExamples.ownKeys)],
    errors: [],
  },
  {
    id: "createOwnKey",
    method: "POST",
    path: "/dashboard/api/keys",
    tag: "Owner",
    summary: "Create a key",
    description: "The answer is the only place where the key itself is shown.",
    access: "owner",
    ...takesJson(
      parseCreateKey,
      { required: false, examples: { key: { summary: "A key", value: requestExamples.createKey } } },
      postKey,
    ),
    answers: [jsonAnswer(201, "The key.", "OwnKeyCreatedAnswer", answerExamples.ownKeyCreated)],
    errors: ["api_access_disabled", "quota_exceeded_keys"],
  },
  {
    id: "updateOwnKey",
    method: "PATCH",
    path: "/dashboard/api/keys/{key_id}",
    tag: "Owner",
    summary: "Rename a key",
    access: "owner",
    parameters: [keyInPath],
    ...takesJson(
      parseUpdateKey,
      { required: true, examples: { key: { summary: "Another name", value: requestExamples.updateKey } } },
      patchKey,
    ),
    answers: [jsonAnswer(200, "The record of the key.", "OwnKeyAnswer", answerExamples.ownKey)],
    errors: ["key_not_found"],
  },
  {
    id: "revokeOwnKey",
    method: "DELETE",
    path: "/dashboard/api/keys/{key_id}",
    tag: "Owner",
    summary: "Revoke a key, at once and for good",
    access: "owner",
    parameters: [keyInPath],
    handler: deleteKey,
    answers: [jsonAnswer(200, "The record of the revoked key.", "OwnKeyAnswer", answerExamples.ownKey)],
    errors: ["key_not_found"],
  },
  {
    id: "updateOwnAccount",
    method: "PATCH",
    path: "/dashboard/api/account",
    tag: "Owner",
    summary: "Change the account's name or time zone",
    access: "owner",
    ...takesJson(
      parseUpdateOwnAccount,
      {
        required: true,
        examples: { account: { summary: "Name and zone", value: requestExamples.updateOwnAccount } },
      },
      patchAccount,
    ),
    answers: [jsonAnswer(200, "The account.", "AccountAnswer", answerExamples.account)],
    errors: [],
  },
];
