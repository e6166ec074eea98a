/** `/v1/qr-codes`, operation by operation; their handlers are in `codes.ts`. */
import { codeStatuses } from "../domain/documents.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import {
  idempotencyKey,
  jsonAnswer,
  pageSize,
  pageToken,
  pathId,
  queryParameter,
} from "../openapi/operation.ts";
import { parsers } from "../schema/validators.ts";
import { findCode, getCode, listCodes, patchCode, postCode } from "./codes.ts";
import { slugInPath } from "./links.ts";
import { get, operationsFor, patch, post, replayedHeaders, takesJson } from "./operation.ts";

const codeInPath = pathId("id", "The `qr_id`.", answerExamples.code.qr_id);

const theCode = jsonAnswer(200, "The code.", "CodeAnswer", answerExamples.code);

function bySlug(id: string, path: string, summary: string, description: string) {
  return {
    id,
    ...get(path),
    summary,
    description,
    parameters: [{ ...slugInPath, in: "query", schema: { type: "string", minLength: 1 } }],
    handler: findCode,
    answers: [theCode],
    errors: ["invalid_request", "qr_not_found"],
  } as const;
}

export const codeOperations = operationsFor({ tag: "QR codes", access: "key" }, [
  {
    id: "listQrCodes",
    ...get("/v1/qr-codes"),
    summary: "List QR codes",
    description: "Newest first; all filters can be combined. A `page_size` of 0 or less counts as 1.",
    parameters: [
      queryParameter("project_id", "Only codes of this project."),
      queryParameter(
        "status",
        `Only codes with this status (${codeStatuses.join(", ")}); repeat it for several. Without it, archived codes are left out. An unknown value matches nothing.`,
        { schema: { type: "array", items: { type: "string" } }, example: ["active", "archived"] },
      ),
      queryParameter("type", "Only codes of this type. An unknown value matches nothing."),
      queryParameter("label_contains", "Only codes whose label contains this, whatever the case of letters."),
      pageSize,
      pageToken,
    ],
    handler: listCodes,
    answers: [
      jsonAnswer(200, "A page of codes, each in short form.", "CodeListAnswer", answerExamples.codes),
    ],
    errors: ["project_not_found"],
  },
  {
    id: "createQrCode",
    ...post("/v1/qr-codes"),
    summary: "Create a QR code",
    description:
      "Answers at once; the image is drawn in the background. When `render_status` is `done`, the slug and the files are there and the public link resolves.",
    parameters: [idempotencyKey],
    ...takesJson(
      parsers.CreateCodeBody,
      {
        url: requestExamples.createUrl,
        text: requestExamples.createText,
        styled: requestExamples.createStyled,
      },
      postCode,
    ),
    answers: [jsonAnswer(201, "The code.", "NewCodeAnswer", answerExamples.newCode, replayedHeaders)],
    errors: ["feature_disabled", "project_forbidden", "project_not_found", "quota_exceeded_qr", "unsafe_url"],
  },
  bySlug("findQrCode", "/v1/qr-codes/find", "Find a QR code by its slug", "Archived codes are not found."),
  bySlug(
    "getQrCodeBySlug",
    "/v1/qr-codes/by-slug",
    "Find by slug, other path",
    "The same as `/v1/qr-codes/find`.",
  ),
  {
    id: "getQrCode",
    ...get("/v1/qr-codes/{id}"),
    summary: "Read a QR code",
    description: "Archived codes are not found.",
    parameters: [codeInPath],
    handler: getCode,
    answers: [theCode],
    errors: ["qr_not_found"],
  },
  {
    id: "updateQrCode",
    ...patch("/v1/qr-codes/{id}"),
    summary: "Change, archive or reactivate a QR code",
    description:
      "Only the fields that are sent change; read-only and unknown fields are ignored. `redirect_url` is refused on a code that is not of type `url`, and `text` when it is not the one of the code, so send what changes rather than all that was read. Reaches archived codes too. `render_status` is the state at the commit: `staging` after a change of the target or the looks.",
    parameters: [codeInPath],
    ...takesJson(
      parsers.UpdateCodeBody,
      { retarget: requestExamples.retarget, archive: requestExamples.archive, clear: requestExamples.clear },
      patchCode,
    ),
    answers: [{ ...theCode, example: answerExamples.retargetedCode }],
    errors: ["feature_disabled", "qr_not_found", "quota_exceeded_qr", "unsafe_url"],
  },
]);
