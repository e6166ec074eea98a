/** What is open to anyone: the public links and their images, health, and the documents. */
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { type Operation, pathId, sharedHeaders, staticAnswers, thisDocument } from "../openapi/operation.ts";

export const slugInPath = pathId("slug", "The slug of a code.", String(answerExamples.code.slug));

const exampleFile = answerExamples.code.file_url_svg.split("/").at(-1)!;

const scanHeaders = { "Cache-Control": "NoStore" };

const scanAnswers = [
  {
    status: 200,
    description: "The text of a code of type `text`: as it is, or as a page to those who prefer HTML.",
    content: {
      "text/plain": { schema: { type: "string" }, example: requestExamples.createText.text },
      "text/html": { schema: { type: "string" } },
    },
    headers: { ...scanHeaders, Vary: "VaryAccept" },
  },
  {
    status: 302,
    description: "On to the destination.",
    headers: { Location: "Destination", ...scanHeaders },
  },
] as const satisfies Operation["answers"];

const scan = {
  path: "/{slug}",
  tag: "Public links",
  access: "anyone",
  parameters: [slugInPath],
  errors: ["not_found", "qr_not_found", "qr_blocked", "qr_expired", "qr_scan_limit_reached"],
  refusalPages: true,
} as const satisfies Partial<Operation>;

export const linkOperations: readonly Operation[] = [
  {
    ...scan,
    id: "scan",
    method: "get",
    summary: "Scan a code",
    description:
      "Counts as a scan when it is answered with the destination or the text, unless it is a prefetch. Letters may be of either case, and one slash at the end is overlooked.",
    answers: scanAnswers,
  },
  {
    ...scan,
    id: "peek",
    method: "head",
    summary: "See where a code leads",
    description: "The same headers as a scan; does not count.",
    answers: scanAnswers,
  },
  {
    id: "getFile",
    method: "get",
    path: "/files/{qr_id}/{file}",
    tag: "Public links",
    summary: "Get a rendered image",
    description: "Files are named by their content and never change.",
    access: "anyone",
    parameters: [
      pathId("qr_id", "The `qr_id`.", answerExamples.code.qr_id),
      pathId("file", "Hash of the content, and `.svg` or `.png`.", exampleFile),
      {
        name: "download",
        in: "query",
        description: "`1`: to be saved, under the code's slug.",
        required: false,
        schema: { type: "string" },
        example: "1",
      },
    ],
    answers: [
      {
        status: 200,
        description: "The image.",
        content: {
          "image/svg+xml": { schema: { type: "string" } },
          "image/png": { schema: { type: "string", format: "binary" } },
        },
        headers: { "Cache-Control": "Immutable", ETag: "ETag", ...sharedHeaders },
      },
      {
        status: 304,
        description: "The image the client has is the one (`If-None-Match`).",
        headers: { "Cache-Control": "Immutable", ETag: "ETag", ...sharedHeaders },
      },
    ],
    errors: ["not_found"],
  },
];

export const serviceOperations: readonly Operation[] = [
  {
    id: "getHome",
    method: "get",
    path: "/",
    tag: "Service",
    summary: "What this site is",
    description: "For people: there is a page, and nothing for those who do not ask for HTML.",
    access: "anyone",
    answers: [
      {
        status: 200,
        description: "A page.",
        content: { "text/html": { schema: { type: "string" } } },
        headers: { Vary: "VaryAccept" },
      },
    ],
    errors: ["not_found"],
  },
  {
    id: "getHealth",
    method: "get",
    path: "/healthz",
    tag: "Service",
    summary: "Is the process alive?",
    access: "anyone",
    answers: [
      { status: 200, description: "It is.", component: "HealthAnswer", example: answerExamples.alive },
    ],
    errors: [],
  },
  {
    id: "getReadiness",
    method: "get",
    path: "/readyz",
    tag: "Service",
    summary: "Can it serve?",
    description: "When it cannot, the message of the 503 says what is wrong.",
    access: "anyone",
    answers: [
      { status: 200, description: "It can.", component: "ReadinessAnswer", example: answerExamples.ready },
    ],
    errors: [],
  },
  {
    id: "getMetrics",
    method: "get",
    path: "/metrics",
    tag: "Service",
    summary: "Figures for Prometheus",
    description:
      "Needs the token of `METRICS_TOKEN` or the admin token, unless the operator has opened it (`METRICS=open`). With `METRICS=off` there is nothing here.",
    access: "metrics",
    answers: [
      {
        status: 200,
        description: "Prometheus text format.",
        content: { "text/plain": { schema: { type: "string" } } },
      },
    ],
    errors: ["not_found"],
  },
  thisDocument("getOpenapi", "/openapi.json", { ...sharedHeaders, "Cache-Control": "NoCache" }),
  {
    id: "getDocs",
    method: "get",
    path: "/docs",
    tag: "Service",
    summary: "This document as a page",
    description: "With a client to try requests. Nothing comes from outside this site.",
    access: "anyone",
    answers: staticAnswers(
      { description: "HTML.", content: { "text/html": { schema: { type: "string" } } } },
      { "Cache-Control": "NoCache" },
    ),
    errors: [],
  },
  {
    id: "getDocsScript",
    method: "get",
    path: "/docs/{script}",
    tag: "Service",
    summary: "A script of that page",
    access: "anyone",
    parameters: [pathId("script", "As the page names it.", "start-4f9d1c7ab20e5836c1d7f0b9e8a2643d.js")],
    answers: staticAnswers(
      { description: "JavaScript.", content: { "text/javascript": { schema: { type: "string" } } } },
      { "Cache-Control": "Immutable" },
    ),
    errors: ["not_found"],
  },
];
