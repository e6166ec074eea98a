/** `/admin/v1/accounts/{account_id}/keys`: the credentials of the public API, for the operator. */

import { type Directory, hashKey } from "../../account/directory.ts";
import { createKey, listKeys, renameKey, revokeKey } from "../../domain/account/account-commands.ts";
import type { CreateKeyBody, UpdateKeyBody } from "../../domain/requests.ts";
import type { Call } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { answerExamples, requestExamples } from "../../openapi/examples.ts";
import { jsonAnswer, pathId } from "../../openapi/operation.ts";
import type { Random } from "../../runtime/random.ts";
import { parseCreateKey, parseUpdateKey } from "../../schema/validators.ts";
import { type Operation, type Sent, takesJson } from "../operation.ts";
import { presentKey } from "../present.ts";
import { accountInPath, accountsPath } from "./accounts.ts";

export interface KeyParts {
  directory: Pick<Directory, "run">;
  random: Random;
}

async function getKeys({ exchange }: Call, { directory }: KeyParts): Promise<Reply> {
  const keys = await directory.run(exchange.params[0]!, listKeys());
  return success(exchange.requestId, { items: keys.map(presentKey) });
}

async function postKey(
  { exchange }: Call,
  { directory, random }: KeyParts,
  { value }: Sent<CreateKeyBody>,
): Promise<Reply> {
  const command = createKey(value.name ?? "", random, hashKey);
  const { key, record } = await directory.run(exchange.params[0]!, command);
  return success(exchange.requestId, { ...presentKey(record), key }, 201);
}

async function patchKey(
  { exchange }: Call,
  { directory }: KeyParts,
  { value }: Sent<UpdateKeyBody>,
): Promise<Reply> {
  const [accountId, keyId] = exchange.params as [string, string];
  return success(
    exchange.requestId,
    presentKey(await directory.run(accountId, renameKey(keyId, value.name))),
  );
}

async function deleteKey({ exchange }: Call, { directory }: KeyParts): Promise<Reply> {
  const [accountId, keyId] = exchange.params as [string, string];
  return success(exchange.requestId, presentKey(await directory.run(accountId, revokeKey(keyId))));
}

const keyInPath = pathId("key_id", "The key.", answerExamples.key.key_id);

export const keyOperations: readonly Operation<KeyParts>[] = [
  {
    id: "listKeys",
    method: "GET",
    path: `${accountsPath}/{account_id}/keys`,
    tag: "Keys",
    summary: "List the keys of an account",
    description: "Revoked ones included, oldest first.",
    access: "admin",
    parameters: [accountInPath],
    handler: getKeys,
    answers: [jsonAnswer(200, "The keys.", "KeyListAnswer", answerExamples.keys)],
    errors: ["account_not_found"],
  },
  {
    id: "createKey",
    method: "POST",
    path: `${accountsPath}/{account_id}/keys`,
    tag: "Keys",
    summary: "Create a key",
    description: "The answer is the only place where the key itself is shown.",
    access: "admin",
    parameters: [accountInPath],
    ...takesJson(
      parseCreateKey,
      { required: false, examples: { key: { summary: "A key", value: requestExamples.createKey } } },
      postKey,
    ),
    answers: [jsonAnswer(201, "The key.", "KeyCreatedAnswer", answerExamples.keyCreated)],
    errors: ["account_not_found", "api_access_disabled", "quota_exceeded_keys"],
  },
  {
    id: "updateKey",
    method: "PATCH",
    path: `${accountsPath}/{account_id}/keys/{key_id}`,
    tag: "Keys",
    summary: "Rename a key",
    access: "admin",
    parameters: [accountInPath, keyInPath],
    ...takesJson(
      parseUpdateKey,
      { required: true, examples: { key: { summary: "Another name", value: requestExamples.updateKey } } },
      patchKey,
    ),
    answers: [jsonAnswer(200, "The record of the key.", "KeyAnswer", answerExamples.key)],
    errors: ["account_not_found", "key_not_found"],
  },
  {
    id: "revokeKey",
    method: "DELETE",
    path: `${accountsPath}/{account_id}/keys/{key_id}`,
    tag: "Keys",
    summary: "Revoke a key, at once and for good",
    access: "admin",
    parameters: [accountInPath, keyInPath],
    handler: deleteKey,
    answers: [jsonAnswer(200, "The record of the revoked key.", "KeyAnswer", answerExamples.key)],
    errors: ["account_not_found", "key_not_found"],
  },
];
