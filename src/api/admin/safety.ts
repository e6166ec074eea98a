/** What the operator does about unsafe targets: look at all codes again, and let a blocked one go. */

import type { Directory } from "../../account/directory.ts";
import { unblockCode } from "../../domain/code/code-commands.ts";
import type { FieldRules } from "../../domain/code/code-fields.ts";
import type { Call } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { answerExamples } from "../../openapi/examples.ts";
import { jsonAnswer, pathId } from "../../openapi/operation.ts";
import { type RemotePolicy, withRemoteCheck } from "../../safety/remote-check.ts";
import type { RescanResult } from "../../safety/rescan.ts";
import type { Store } from "../../store/store.ts";
import { type CodeViewParts, codeReply } from "../codes.ts";
import { operationsFor, post } from "../operation.ts";
import { accountInPath, accountsPath } from "./accounts.ts";

export interface SafetyParts extends CodeViewParts {
  store: Pick<Store, "get">;
  directory: Pick<Directory, "run">;
  fields: FieldRules;
  /** Null when no remote service is asked about URLs. */
  remoteCheck: RemotePolicy | null;
  safety: { rescan(): Promise<RescanResult> };
}

async function postRescan({ exchange }: Call, { safety }: SafetyParts): Promise<Reply> {
  return success(exchange.requestId, await safety.rescan());
}

/** What the remote check is asked about is what is stored; the account's actor then has the last word. */
async function postUnblock({ exchange }: Call, parts: SafetyParts): Promise<Reply> {
  const [accountId, codeId] = exchange.params as [string, string];
  const stored = await parts.store.get("codes", codeId);
  const isTheirs = stored?.account_id === accountId;
  const targets = isTheirs && stored.blocked ? stored : {};
  const fields = await withRemoteCheck(parts.fields, parts.remoteCheck, targets);
  const code = await parts.directory.run(accountId, unblockCode(codeId, fields));
  return codeReply(code, exchange.requestId, parts);
}

const codeInPath = pathId("qr_id", "The QR code.", answerExamples.code.qr_id);

export const safetyOperations = operationsFor({ tag: "Safety", access: "admin" }, [
  {
    id: "rescan",
    ...post("/admin/v1/safety/rescan"),
    summary: "Check all codes against the block list now",
    description:
      "Active codes that lead somewhere unsafe are blocked. Blocked ones that do not any more are let go, as far as the remote check agrees and there is room under the cap. A change of the block list does the same by itself.",
    handler: postRescan,
    answers: [jsonAnswer(200, "What was found.", "RescanAnswer", answerExamples.rescan)],
  },
  {
    id: "unblockCode",
    ...post(`${accountsPath}/{account_id}/qr-codes/{qr_id}/unblock`),
    summary: "Put a blocked code back into service",
    description:
      "Its targets must be safe again, and it uses quota like a new code. One that its owner has archived stays archived, and can be activated from now on. A code that is not blocked stays as it is.",
    parameters: [accountInPath, codeInPath],
    handler: postUnblock,
    answers: [jsonAnswer(200, "The code.", "CodeAnswer", answerExamples.code)],
    errors: ["account_not_found", "api_access_disabled", "qr_not_found", "quota_exceeded_qr", "unsafe_url"],
  },
]);
