/** The table of operations, and the two documents that are made of it; they list operations in this order. */
import { readableByAnySite } from "../http/standing-headers.ts";
import { documentOf, type OpenapiDocument } from "../openapi/document.ts";
import { pathId, sharedHeaders, staticAnswers, thisDocument } from "../openapi/operation.ts";
import { getDocs, getDocsScript } from "../openapi/reader.ts";
import { servedDocument } from "../openapi/served-document.ts";
import { type AccountParts, accountOperations } from "./admin/accounts.ts";
import { type ClusterParts, clusterOperations } from "./admin/cluster.ts";
import { type KeyParts, keyOperations } from "./admin/keys.ts";
import { type SafetyParts, safetyOperations } from "./admin/safety.ts";
import { type UserParts, userOperations } from "./admin/users.ts";
import { type AnalyticsParts, analyticsOperations } from "./analytics.ts";
import { codeOperations } from "./code-operations.ts";
import type { CodeParts } from "./codes.ts";
import { type LinkParts, linkOperations } from "./links.ts";
import { get, isServedByDoor, type Operation } from "./operation.ts";
import { adminProjectOperations, type ProjectParts, projectOperations } from "./projects.ts";
import { type ServiceParts, serviceOperations } from "./service.ts";

interface DocumentParts {
  publicUrl(): string;
}

export type ApiParts = CodeParts &
  AnalyticsParts &
  ProjectParts &
  LinkParts &
  ServiceParts &
  AccountParts &
  KeyParts &
  SafetyParts &
  ClusterParts &
  UserParts &
  DocumentParts;

const documentation: readonly Operation<DocumentParts>[] = [
  {
    ...thisDocument("getOpenapi", "/openapi.json", { ...sharedHeaders, "Cache-Control": "NoCache" }),
    handler: servedDocument(openapiDocument, [["cache-control", "no-cache"], ...readableByAnySite]),
  },
  {
    id: "getDocs",
    ...get("/docs"),
    tag: "Service",
    summary: "This document as a page",
    description: "With a client to try requests. Nothing comes from outside this site.",
    access: "anyone",
    handler: getDocs,
    answers: staticAnswers("HTML.", "text/html", { "Cache-Control": "NoCache" }),
  },
  {
    id: "getDocsScript",
    ...get("/docs/{script}"),
    tag: "Service",
    summary: "A script of that page",
    access: "anyone",
    parameters: [pathId("script", "As the page names it.", "start-4f9d1c7ab20e5836c1d7f0b9e8a2643d.js")],
    handler: getDocsScript,
    answers: staticAnswers("JavaScript.", "text/javascript", { "Cache-Control": "Immutable" }),
    errors: ["not_found"],
  },
];

export const publicOperations: readonly Operation<ApiParts>[] = [
  ...codeOperations,
  ...projectOperations,
  ...analyticsOperations,
  ...linkOperations,
  ...serviceOperations,
  ...documentation,
];

export const adminOperations: readonly Operation<ApiParts>[] = [
  ...accountOperations,
  ...keyOperations,
  ...adminProjectOperations,
  ...userOperations,
  ...safetyOperations,
  ...clusterOperations,
  {
    ...thisDocument("getAdminOpenapi", "/admin/openapi.json"),
    handler: servedDocument(adminOpenapiDocument, []),
  },
];

export const operations: readonly Operation<ApiParts>[] = [...publicOperations, ...adminOperations];

/** What the door serves, and the methods of what it does not: of the public links. */
export const routes = operations.filter(isServedByDoor);
export const linkMethods = linkOperations.filter((each) => !isServedByDoor(each)).map(({ method }) => method);

const envelopeText =
  "Every JSON answer carries `ok`, `version` and `request_id`. A refusal has `ok: false`, a `code` for programs and a `message` for people that names the field at fault. A refused request changes nothing.";

export function openapiDocument(publicUrl: string): OpenapiDocument {
  return documentOf(publicOperations, {
    title: "qrelay",
    description: [
      "Every request under `/v1` and `/v2` carries an API key in the header `x-api-key`. Keys are made by the operator of the service and belong on servers, never in a page or an app.",
      "Dynamic QR codes: each encodes a short link whose destination can be changed later, with redirect rules, an expiry and a scan limit. Images are drawn in the background.",
      envelopeText,
      "Lists come in pages: pass the `next_page_token` of one page as the `page_token` of the next, until it is null.",
      "Every request with a key counts against the quotas of its plan, which the `RateLimit` headers tell. An unknown path is 404 `not_found`; a known one with another method is 405 `method_not_allowed` with an `Allow` header. HEAD is answered wherever GET is.",
    ].join("\n\n"),
    publicUrl,
    tags: [
      { name: "QR codes", description: "Create, read, list, change and archive dynamic QR codes." },
      { name: "Projects", description: "Workspaces that group QR codes inside an account." },
      {
        name: "Analytics",
        description:
          "Who scanned what, when: counted scans by time, country, device and referring host. Nothing else is kept of a visitor.",
      },
      { name: "Public links", description: "What a scanner of a code meets. No key is needed." },
      { name: "Service", description: "Health and documentation. No key is needed." },
    ],
    securitySchemes: {
      ApiKey: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        description: "`api_live_` and 32 characters. For servers only; never put it into a page or an app.",
      },
      MetricsToken: {
        type: "http",
        scheme: "bearer",
        description: "The token of `METRICS_TOKEN`, or the admin token.",
      },
    },
  });
}

export function adminOpenapiDocument(publicUrl: string): OpenapiDocument {
  return documentOf(adminOperations, {
    title: "qrelay admin",
    description: [
      "Every request under `/admin/v1` carries the admin token: `Authorization: Bearer TOKEN`.",
      "Accounts, plans, keys, users and archived projects, for the operator of the service.",
      envelopeText,
    ].join("\n\n"),
    publicUrl,
    tags: [
      { name: "Accounts", description: "Owners of projects, codes and keys." },
      { name: "Keys", description: "Credentials of the public API." },
      { name: "Projects", description: "Projects of any account, archived ones included." },
      { name: "Users", description: "People who sign in to the dashboard of an account." },
      { name: "Safety", description: "Checks of targets against the block list." },
      { name: "Cluster", description: "Processes that work on one database." },
      { name: "Service", description: "Documentation. No token is needed." },
    ],
    securitySchemes: {
      AdminToken: { type: "http", scheme: "bearer", description: "The admin token of the service." },
    },
  });
}
