/** `/admin/v1/accounts/{account_id}/users`: who may sign in to an account's dashboard, for the operator. */

import type { Directory } from "../../account/directory.ts";
import { readAccount } from "../../domain/account/account-commands.ts";
import type { CreateUserBody, UpdateUserBody } from "../../domain/dashboard-requests.ts";
import type { Call } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { answerExamples, requestExamples } from "../../openapi/examples.ts";
import { jsonAnswer, pathId } from "../../openapi/operation.ts";
import type { People } from "../../people/people.ts";
import type { Clock } from "../../runtime/clock.ts";
import { parseCreateUser, parseUpdateUser } from "../../schema/validators.ts";
import { type Operation, type Sent, takesJson } from "../operation.ts";
import { presentInvited, presentUser } from "../present.ts";
import { accountInPath, accountsPath } from "./accounts.ts";

export interface UserParts {
  people: Pick<People, "usersOf" | "create" | "changeRole" | "reset" | "remove">;
  directory: Pick<Directory, "run">;
  publicUrl: string;
  clock: Clock;
}

async function listUsers({ exchange }: Call, { people, directory, clock }: UserParts): Promise<Reply> {
  const { id } = await directory.run(exchange.params[0]!, readAccount());
  const users = await people.usersOf(id);
  return success(exchange.requestId, { items: users.map((user) => presentUser(user, clock.now())) });
}

async function postUser(
  { exchange }: Call,
  parts: UserParts,
  { value }: Sent<CreateUserBody>,
): Promise<Reply> {
  const { id } = await parts.directory.run(exchange.params[0]!, readAccount());
  const invited = await parts.people.create({
    accountId: id,
    email: value.email,
    role: value.role ?? "member",
  });
  return success(exchange.requestId, presentInvited(invited, parts.publicUrl, parts.clock.now()), 201);
}

async function patchUser(
  { exchange }: Call,
  { people, directory, clock }: UserParts,
  { value }: Sent<UpdateUserBody>,
): Promise<Reply> {
  const [accountId, userId] = exchange.params as [string, string];
  await directory.run(accountId, readAccount());
  const user = await people.changeRole(accountId, userId, value.role, "operator");
  return success(exchange.requestId, presentUser(user, clock.now()));
}

async function resetUser(
  { exchange }: Call,
  { people, directory, publicUrl, clock }: UserParts,
): Promise<Reply> {
  const [accountId, userId] = exchange.params as [string, string];
  await directory.run(accountId, readAccount());
  const invited = await people.reset(accountId, userId);
  return success(exchange.requestId, presentInvited(invited, publicUrl, clock.now()));
}

async function deleteUser({ exchange }: Call, { people, directory, clock }: UserParts): Promise<Reply> {
  const [accountId, userId] = exchange.params as [string, string];
  await directory.run(accountId, readAccount());
  const user = await people.remove(accountId, userId, "operator");
  return success(exchange.requestId, presentUser(user, clock.now()));
}

const userInPath = pathId("user_id", "The user.", answerExamples.user.user_id);
const usersPath = `${accountsPath}/{account_id}/users`;

export const userOperations: readonly Operation<UserParts>[] = [
  {
    id: "listUsers",
    method: "GET",
    path: usersPath,
    tag: "Users",
    summary: "List the users of an account",
    description: "Oldest first.",
    access: "admin",
    parameters: [accountInPath],
    handler: listUsers,
    answers: [jsonAnswer(200, "The users.", "UserListAnswer", answerExamples.users)],
    errors: ["account_not_found"],
  },
  {
    id: "createUser",
    method: "POST",
    path: usersPath,
    tag: "Users",
    summary: "Create a user",
    description:
      "The answer is the only place where the one-time link is shown with which the user sets a password.",
    access: "admin",
    parameters: [accountInPath],
    ...takesJson(
      parseCreateUser,
      { required: true, examples: { user: { summary: "An owner", value: requestExamples.createUser } } },
      postUser,
    ),
    answers: [jsonAnswer(201, "The user.", "InvitedUserAnswer", answerExamples.invitedUser)],
    errors: ["account_not_found", "email_taken", "quota_exceeded_users"],
  },
  {
    id: "updateUser",
    method: "PATCH",
    path: `${usersPath}/{user_id}`,
    tag: "Users",
    summary: "Change the role of a user",
    description: "It holds at once, for sessions that are open too.",
    access: "admin",
    parameters: [accountInPath, userInPath],
    ...takesJson(
      parseUpdateUser,
      { required: true, examples: { role: { summary: "An owner", value: requestExamples.updateUser } } },
      patchUser,
    ),
    answers: [jsonAnswer(200, "The user.", "UserAnswer", answerExamples.user)],
    errors: ["account_not_found", "user_not_found"],
  },
  {
    id: "resetUser",
    method: "POST",
    path: `${usersPath}/{user_id}/reset`,
    tag: "Users",
    summary: "Make a new one-time link for a user",
    description: "Any earlier link is over. The password stays until the link is used.",
    access: "admin",
    parameters: [accountInPath, userInPath],
    handler: resetUser,
    answers: [jsonAnswer(200, "The user.", "InvitedUserAnswer", answerExamples.invitedUser)],
    errors: ["account_not_found", "user_not_found"],
  },
  {
    id: "removeUser",
    method: "DELETE",
    path: `${usersPath}/{user_id}`,
    tag: "Users",
    summary: "Remove a user, whose sessions end at once",
    access: "admin",
    parameters: [accountInPath, userInPath],
    handler: deleteUser,
    answers: [jsonAnswer(200, "The user who was removed.", "UserAnswer", answerExamples.user)],
    errors: ["account_not_found", "user_not_found"],
  },
];
