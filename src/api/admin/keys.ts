/**
 * `/admin/v1/accounts/{account_id}/keys`: the credentials of the public API, for the operator; `dashboard-api` has the
 * same for owners.
 */

import { type Directory, hashKey } from "../../account/directory.ts";
import { createKey, listKeys, renameKey, revokeKey } from "../../domain/account/account-commands.ts";
import type { Command } from "../../domain/command.ts";
import type { KeyDoc } from "../../domain/documents.ts";
import type { CreateKeyBody, UpdateKeyBody } from "../../domain/requests.ts";
import type { Call, UserCall } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { answerExamples, requestExamples } from "../../openapi/examples.ts";
import { jsonAnswer, pathId } from "../../openapi/operation.ts";
import type { Random } from "../../runtime/random.ts";
import type { OwnKey } from "../../schema/dashboard-responses.ts";
import type { Key } from "../../schema/responses.ts";
import { parsers } from "../../schema/validators.ts";
import { get, operationsFor, patch, post, remove, type Sent, takesJson } from "../operation.ts";
import { presentKey } from "../present.ts";
import { accountInPath, accountsPath, ofAccount } from "./accounts.ts";

export interface KeyParts {
  directory: Pick<Directory, "run" | "keyUsage">;
  random: Random;
}

async function getKeys(call: Call | UserCall, parts: KeyParts): Promise<Reply> {
  const keys = await parts.directory.run(ofAccount(call).accountId, listKeys());
  return success(call.exchange.requestId, { items: await shown(keys, call, parts) });
}

async function postKey(
  call: Call | UserCall,
  parts: KeyParts,
  { value }: Sent<CreateKeyBody>,
): Promise<Reply> {
  const command = createKey(value.name ?? "", parts.random, hashKey);
  const { key, record } = await parts.directory.run(ofAccount(call).accountId, command);
  const [fields] = await shown([record], call, parts);
  return success(call.exchange.requestId, { ...fields, key }, 201);
}

function patchKey(call: Call | UserCall, parts: KeyParts, { value }: Sent<UpdateKeyBody>): Promise<Reply> {
  return changed(call, parts, (id) => renameKey(id, value.name));
}

function deleteKey(call: Call | UserCall, parts: KeyParts): Promise<Reply> {
  return changed(call, parts, revokeKey);
}

async function changed(
  call: Call | UserCall,
  parts: KeyParts,
  change: (id: string) => Command<KeyDoc>,
): Promise<Reply> {
  const { accountId, id } = ofAccount(call);
  const [fields] = await shown([await parts.directory.run(accountId, change(id))], call, parts);
  return success(call.exchange.requestId, { ...fields });
}

/** Owners see beside each key what was asked for with it. */
async function shown(
  keys: KeyDoc[],
  call: Call | UserCall,
  { directory }: KeyParts,
): Promise<(Key | OwnKey)[]> {
  const { accountId, by } = ofAccount(call);
  if (by === "operator") return keys.map(presentKey);
  const usage = await directory.keyUsage(accountId);
  return keys.map((key) => {
    const used = usage.get(key.id);
    return {
      ...presentKey(key),
      requests_this_minute: used?.minute ?? 0,
      requests_this_day: used?.day ?? 0,
    };
  });
}

const keyInPath = pathId("key_id", "The key.", answerExamples.key.key_id);

export const keyOperations = operationsFor({ tag: "Keys", access: "admin" }, [
  {
    id: "listKeys",
    ...get(`${accountsPath}/{account_id}/keys`),
    summary: "List the keys of an account",
    description: "Revoked ones included, oldest first.",
    parameters: [accountInPath],
    handler: getKeys,
    answers: [jsonAnswer(200, "The keys.", "KeyListAnswer", answerExamples.keys)],
    errors: ["account_not_found"],
  },
  {
    id: "createKey",
    ...post(`${accountsPath}/{account_id}/keys`),
    summary: "Create a key",
    description: "The answer is the only place where the key itself is shown.",
    parameters: [accountInPath],
    ...takesJson(parsers.CreateKeyBody, { key: requestExamples.createKey }, postKey, { required: false }),
    answers: [jsonAnswer(201, "The key.", "KeyCreatedAnswer", answerExamples.keyCreated)],
    errors: ["account_not_found", "api_access_disabled", "quota_exceeded_keys"],
  },
  {
    id: "updateKey",
    ...patch(`${accountsPath}/{account_id}/keys/{key_id}`),
    summary: "Rename a key",
    parameters: [accountInPath, keyInPath],
    ...takesJson(parsers.UpdateKeyBody, { key: requestExamples.updateKey }, patchKey),
    answers: [jsonAnswer(200, "The record of the key.", "KeyAnswer", answerExamples.key)],
    errors: ["account_not_found", "key_not_found"],
  },
  {
    id: "revokeKey",
    ...remove(`${accountsPath}/{account_id}/keys/{key_id}`),
    summary: "Revoke a key, at once and for good",
    parameters: [accountInPath, keyInPath],
    handler: deleteKey,
    answers: [jsonAnswer(200, "The record of the revoked key.", "KeyAnswer", answerExamples.key)],
    errors: ["account_not_found", "key_not_found"],
  },
]);
