/**
 * What the dashboard's pages ask for: the operations of the public and the admin API behind a session, and those that
 * pages have beyond them.
 *
 * The former are rows of the one table, mounted at `/dashboard/api` with another way to say who asks: whatever the API
 * refuses, limits or answers, it does for pages as well, and an operation that is added there is there for them too.
 * What changes is that a session is asked for instead of a key, and that nothing is taken from a key's windows.
 */

import { isServedByDoor, type Operation, type ServedOperation } from "../api/operation.ts";
import { type ApiParts, adminOperations, publicOperations } from "../api/operations.ts";
import { documentOf, type OpenapiDocument } from "../openapi/document.ts";
import { thisDocument } from "../openapi/operation.ts";
import { servedDocument } from "../openapi/served-document.ts";
import { appOperations } from "./app-files.ts";
import { type OwnCodeParts, ownCodeOperations } from "./codes.ts";
import { type OwnerParts, ownerOperations } from "./owner.ts";
import { type OwnProjectParts, ownProjectOperations } from "./projects.ts";
import { type SignInParts, sessionOperations } from "./session.ts";
import { type TopCodeParts, topCodeOperations } from "./top-codes.ts";
import { type VisitParts, visitOperations } from "./visit.ts";

/** All that any handler here uses. */
export type DashboardParts = ApiParts &
  SignInParts &
  OwnerParts &
  OwnProjectParts &
  OwnCodeParts &
  TopCodeParts &
  VisitParts;

const mountedAt = "/dashboard/api";

function mounted(operation: ServedOperation<ApiParts>): ServedOperation<ApiParts> | null {
  const path = mountedAt + operation.path;
  if (operation.access === "key") return { ...operation, path, access: "user" };
  if (operation.access === "admin") return { ...operation, path, access: "operator" };
  return null;
}

const mountedOperations = [...publicOperations, ...adminOperations]
  .filter(isServedByDoor)
  .map(mounted)
  .filter((operation) => operation !== null);

const apiOperations: readonly Operation<DashboardParts>[] = [
  ...sessionOperations,
  ...ownerOperations,
  ...ownProjectOperations,
  ...ownCodeOperations,
  ...topCodeOperations,
  ...visitOperations,
  ...mountedOperations,
  {
    ...thisDocument("getDashboardOpenapi", `${mountedAt}/openapi.json`),
    handler: servedDocument(dashboardOpenapiDocument, []),
  },
];

export const dashboardRoutes: readonly ServedOperation<DashboardParts>[] = [
  ...apiOperations,
  ...appOperations,
].filter(isServedByDoor);

export function dashboardOpenapiDocument(publicUrl: string): OpenapiDocument {
  return documentOf(apiOperations, {
    title: "qrelay dashboard",
    description: [
      "What the pages of the dashboard ask for. A cookie says who is signed in; keys and tokens are not looked at. Whatever changes something must come from a page of the service itself.",
      "Below `/dashboard/api/v1`, `/v2` and `/admin` are the operations of the public API for users and of the admin API for the operator, with the same bodies, answers and refusals.",
      "Each session has so many requests a second and a minute; they take nothing from the windows of keys.",
    ].join("\n\n"),
    publicUrl,
    tags: [
      { name: "Session", description: "Who is signed in, and how." },
      { name: "Owner", description: "Users, keys and the account." },
      { name: "Projects", description: "Workspaces that group QR codes inside an account." },
      { name: "QR codes", description: "Codes of the account." },
      { name: "Accounts", description: "For the operator: owners of projects, codes and keys." },
      { name: "Keys", description: "For the operator: credentials of the public API." },
      { name: "Users", description: "For the operator: people who sign in to an account's dashboard." },
      { name: "Safety", description: "For the operator: checks of targets against the block list." },
      { name: "Service", description: "Documentation." },
    ],
    securitySchemes: {
      Session: { type: "apiKey", in: "cookie", name: "__Host-qrelay", description: "Set by signing in." },
    },
  });
}
