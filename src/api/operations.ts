/** The public API, operation by operation; the OpenAPI document lists them in this order. */
import { codeStatuses } from "../domain/documents.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { idempotencyKey, type Operation, pageSize, pageToken, pathId } from "../openapi/operation.ts";
import { linkOperations, serviceOperations, slugInPath } from "./link-operations.ts";

export const tags = [
  { name: "QR codes", description: "Create, read, list, change and archive dynamic QR codes." },
  { name: "Projects", description: "Workspaces that group QR codes inside an account." },
  { name: "Public links", description: "What a scanner of a code meets. No key is needed." },
  { name: "Service", description: "Health and documentation. No key is needed." },
];

const codeId = pathId("id", "The `qr_id`.", answerExamples.code.qr_id);
const replayed = { "Idempotent-Replayed": "IdempotentReplayed" };

const projects: Operation[] = [
  {
    id: "listProjects",
    method: "get",
    path: "/v1/projects",
    tag: "Projects",
    summary: "List projects",
    description: "Newest first. A `page_size` of 0 or less counts as 20.",
    access: "key",
    parameters: [pageSize, pageToken],
    answers: [
      {
        status: 200,
        description: "A page of projects.",
        component: "ProjectListAnswer",
        example: answerExamples.projects,
      },
    ],
    errors: [],
  },
  {
    id: "createProject",
    method: "post",
    path: "/v1/projects",
    tag: "Projects",
    summary: "Create a project",
    access: "key",
    parameters: [idempotencyKey],
    body: {
      component: "CreateProjectBody",
      required: true,
      examples: { project: { summary: "A project", value: requestExamples.createProject } },
    },
    answers: [
      {
        status: 201,
        description: "The project.",
        component: "ProjectAnswer",
        example: answerExamples.project,
        headers: replayed,
      },
    ],
    errors: ["quota_exceeded_projects"],
  },
];

function bySlug(id: string, path: string, summary: string, description: string): Operation {
  return {
    id,
    method: "get",
    path,
    tag: "QR codes",
    summary,
    description,
    access: "key",
    parameters: [{ ...slugInPath, in: "query", schema: { type: "string", minLength: 1 } }],
    answers: [
      { status: 200, description: "The code.", component: "CodeAnswer", example: answerExamples.code },
    ],
    errors: ["invalid_request", "qr_not_found"],
  };
}

const codes: Operation[] = [
  {
    id: "listQrCodes",
    method: "get",
    path: "/v1/qr-codes",
    tag: "QR codes",
    summary: "List QR codes",
    description: "Newest first; all filters can be combined. A `page_size` of 0 or less counts as 1.",
    access: "key",
    parameters: [
      {
        name: "project_id",
        in: "query",
        description: "Only codes of this project.",
        schema: { type: "string" },
      },
      {
        name: "status",
        in: "query",
        description: `Only codes with this status (${codeStatuses.join(", ")}); repeat it for several. Without it, archived codes are left out. An unknown value matches nothing.`,
        schema: { type: "array", items: { type: "string" } },
        example: ["active", "archived"],
      },
      {
        name: "type",
        in: "query",
        description: "Only codes of this type. An unknown value matches nothing.",
        schema: { type: "string" },
      },
      {
        name: "label_contains",
        in: "query",
        description: "Only codes whose label contains this, whatever the case of letters.",
        schema: { type: "string" },
      },
      pageSize,
      pageToken,
    ],
    answers: [
      {
        status: 200,
        description: "A page of codes, each in short form.",
        component: "CodeListAnswer",
        example: answerExamples.codes,
      },
    ],
    errors: ["project_not_found"],
  },
  {
    id: "createQrCode",
    method: "post",
    path: "/v1/qr-codes",
    tag: "QR codes",
    summary: "Create a QR code",
    description:
      "Answers at once; the image is drawn in the background. When `render_status` is `done`, the slug and the files are there and the public link resolves.",
    access: "key",
    parameters: [idempotencyKey],
    body: {
      component: "CreateCodeBody",
      required: true,
      examples: {
        url: { summary: "A link", value: requestExamples.createUrl },
        text: { summary: "Plain text", value: requestExamples.createText },
        styled: { summary: "Rules, expiry, limit and looks", value: requestExamples.createStyled },
      },
    },
    answers: [
      {
        status: 201,
        description: "The code.",
        component: "NewCodeAnswer",
        example: answerExamples.newCode,
        headers: replayed,
      },
    ],
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
    method: "get",
    path: "/v1/qr-codes/{id}",
    tag: "QR codes",
    summary: "Read a QR code",
    description: "Archived codes are not found.",
    access: "key",
    parameters: [codeId],
    answers: [
      { status: 200, description: "The code.", component: "CodeAnswer", example: answerExamples.code },
    ],
    errors: ["qr_not_found"],
  },
  {
    id: "updateQrCode",
    method: "patch",
    path: "/v1/qr-codes/{id}",
    tag: "QR codes",
    summary: "Change, archive or reactivate a QR code",
    description:
      "Only the fields that are sent change; read-only and unknown fields are ignored. `redirect_url` is refused on a code that is not of type `url`, and `text` when it is not the one of the code, so send what changes rather than all that was read. Reaches archived codes too. `render_status` is the state at the commit: `staging` after a change of the target or the looks.",
    access: "key",
    parameters: [codeId],
    body: {
      component: "UpdateCodeBody",
      required: true,
      examples: {
        retarget: { summary: "Another destination", value: requestExamples.retarget },
        archive: { summary: "Archive", value: requestExamples.archive },
        clear: { summary: "Clear rules, expiry and limit", value: requestExamples.clear },
      },
    },
    answers: [
      {
        status: 200,
        description: "The code.",
        component: "CodeAnswer",
        example: answerExamples.retargetedCode,
      },
    ],
    errors: ["feature_disabled", "qr_not_found", "quota_exceeded_qr", "unsafe_url"],
  },
];

export const publicOperations: readonly Operation[] = [
  ...codes,
  ...projects,
  ...linkOperations,
  ...serviceOperations,
];
