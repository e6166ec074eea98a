/**
 * `/admin/v1/accounts/{account_id}/users`: who may sign in to an account's dashboard, for the operator; `dashboard-api`
 * has the same for owners.
 */

import type { Directory } from "../../account/directory.ts";
import type { CreateUserBody, UpdateUserBody } from "../../domain/dashboard-requests.ts";
import type { Call, UserCall } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { answerExamples, requestExamples } from "../../openapi/examples.ts";
import { jsonAnswer, pathId } from "../../openapi/operation.ts";
import type { People } from "../../people/people.ts";
import type { Clock } from "../../runtime/clock.ts";
import { parsers } from "../../schema/validators.ts";
import { get, operationsFor, patch, post, remove, type Sent, takesJson } from "../operation.ts";
import { presentInvited, presentUser } from "../present.ts";
import { accountInPath, accountsPath, ofAccount } from "./accounts.ts";

export interface UserParts {
  people: Pick<People, "usersOf" | "create" | "changeRole" | "reset" | "remove">;
  directory: Pick<Directory, "account">;
  publicUrl(): string;
  clock: Clock;
}

/** Of which account, which must be there: of their own, owners know that. */
async function known(call: Call | UserCall, { directory }: UserParts) {
  const asked = ofAccount(call);
  if (asked.by === "operator") await directory.account(asked.accountId);
  return asked;
}

async function listUsers(call: Call | UserCall, parts: UserParts): Promise<Reply> {
  const { accountId } = await known(call, parts);
  const users = await parts.people.usersOf(accountId);
  const now = parts.clock.now();
  return success(call.exchange.requestId, { items: users.map((user) => presentUser(user, now)) });
}

async function postUser(
  call: Call | UserCall,
  parts: UserParts,
  { value: { email, role = "member" } }: Sent<CreateUserBody>,
): Promise<Reply> {
  const { accountId } = await known(call, parts);
  const invited = await parts.people.create({ accountId, email, role });
  return success(call.exchange.requestId, presentInvited(invited, parts.publicUrl(), parts.clock.now()), 201);
}

async function patchUser(
  call: Call | UserCall,
  parts: UserParts,
  { value }: Sent<UpdateUserBody>,
): Promise<Reply> {
  const { accountId, id, by } = await known(call, parts);
  const user = await parts.people.changeRole(accountId, id, value.role, by);
  return success(call.exchange.requestId, presentUser(user, parts.clock.now()));
}

async function resetUser(call: Call | UserCall, parts: UserParts): Promise<Reply> {
  const { accountId, id } = await known(call, parts);
  const invited = await parts.people.reset(accountId, id);
  return success(call.exchange.requestId, presentInvited(invited, parts.publicUrl(), parts.clock.now()));
}

async function deleteUser(call: Call | UserCall, parts: UserParts): Promise<Reply> {
  const { accountId, id, by } = await known(call, parts);
  const user = await parts.people.remove(accountId, id, by);
  return success(call.exchange.requestId, presentUser(user, parts.clock.now()));
}

const userInPath = pathId("user_id", "The user.", answerExamples.user.user_id);
const usersPath = `${accountsPath}/{account_id}/users`;

export const userOperations = operationsFor({ tag: "Users", access: "admin" }, [
  {
    id: "listUsers",
    ...get(usersPath),
    summary: "List the users of an account",
    description: "Oldest first.",
    parameters: [accountInPath],
    handler: listUsers,
    answers: [jsonAnswer(200, "The users.", "UserListAnswer", answerExamples.users)],
    errors: ["account_not_found"],
  },
  {
    id: "createUser",
    ...post(usersPath),
    summary: "Create a user",
    description:
      "The answer is the only place where the one-time link is shown with which the user sets a password.",
    parameters: [accountInPath],
    ...takesJson(parsers.CreateUserBody, { user: requestExamples.createUser }, postUser),
    answers: [jsonAnswer(201, "The user.", "InvitedUserAnswer", answerExamples.invitedUser)],
    errors: ["account_not_found", "email_taken", "quota_exceeded_users"],
  },
  {
    id: "updateUser",
    ...patch(`${usersPath}/{user_id}`),
    summary: "Change the role of a user",
    description: "It holds at once, for sessions that are open too.",
    parameters: [accountInPath, userInPath],
    ...takesJson(parsers.UpdateUserBody, { role: requestExamples.updateUser }, patchUser),
    answers: [jsonAnswer(200, "The user.", "UserAnswer", answerExamples.user)],
    errors: ["account_not_found", "user_not_found"],
  },
  {
    id: "resetUser",
    ...post(`${usersPath}/{user_id}/reset`),
    summary: "Make a new one-time link for a user",
    description: "Any earlier link is over. The password stays until the link is used.",
    parameters: [accountInPath, userInPath],
    handler: resetUser,
    answers: [jsonAnswer(200, "The user.", "InvitedUserAnswer", answerExamples.invitedUser)],
    errors: ["account_not_found", "user_not_found"],
  },
  {
    id: "removeUser",
    ...remove(`${usersPath}/{user_id}`),
    summary: "Remove a user, whose sessions end at once",
    parameters: [accountInPath, userInPath],
    handler: deleteUser,
    answers: [jsonAnswer(200, "The user who was removed.", "UserAnswer", answerExamples.user)],
    errors: ["account_not_found", "user_not_found"],
  },
]);
