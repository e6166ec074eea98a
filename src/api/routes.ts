/** The one table of addresses: path, method, who may call, what answers. 404, 405 and `Allow` follow from it. */
import {
  deleteKey,
  getAccount,
  getAccountProjects,
  getKeys,
  listAccounts,
  patchAccount,
  patchProject,
  postAccount,
  postKey,
  postRescan,
  postUnblock,
} from "./admin.ts";
import type { Handler, KeyCall } from "./call.ts";
import { findCode, getCode, listCodes, patchCode, postCode } from "./codes.ts";
import { getDocs, getDocsScript } from "./docs.ts";
import { getFile } from "./files.ts";
import { getHome } from "./home.ts";
import { getMetrics } from "./metrics.ts";
import { listProjects, postProject } from "./projects.ts";
import { getAdminOpenapi, getHealth, getOpenapi, getReadiness } from "./system.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Address {
  method: Method;
  /** Parameters are written `:name`. */
  path: string;
}

/** `key` needs an API key, `admin` the admin token, `metrics` what `METRICS` says, `public` nothing. */
export type Route = Address &
  (
    | { access: "key"; handler: Handler<KeyCall> }
    | { access: "admin"; handler: Handler; bodyOptional?: boolean }
    | { access: "metrics" | "public"; handler: Handler }
  );

export const routes: readonly Route[] = [
  { method: "GET", path: "/v1/projects", access: "key", handler: listProjects },
  { method: "POST", path: "/v1/projects", access: "key", handler: postProject },
  { method: "GET", path: "/v1/qr-codes", access: "key", handler: listCodes },
  { method: "POST", path: "/v1/qr-codes", access: "key", handler: postCode },
  { method: "GET", path: "/v1/qr-codes/find", access: "key", handler: findCode },
  { method: "GET", path: "/v1/qr-codes/by-slug", access: "key", handler: findCode },
  { method: "GET", path: "/v1/qr-codes/:id", access: "key", handler: getCode },
  { method: "PATCH", path: "/v1/qr-codes/:id", access: "key", handler: patchCode },

  { method: "GET", path: "/", access: "public", handler: getHome },
  { method: "GET", path: "/files/:qr_id/:file", access: "public", handler: getFile },
  { method: "GET", path: "/openapi.json", access: "public", handler: getOpenapi },
  { method: "GET", path: "/docs", access: "public", handler: getDocs },
  { method: "GET", path: "/docs/:script", access: "public", handler: getDocsScript },
  { method: "GET", path: "/healthz", access: "public", handler: getHealth },
  { method: "GET", path: "/readyz", access: "public", handler: getReadiness },
  { method: "GET", path: "/metrics", access: "metrics", handler: getMetrics },

  { method: "GET", path: "/admin/openapi.json", access: "public", handler: getAdminOpenapi },
  { method: "POST", path: "/admin/v1/accounts", access: "admin", handler: postAccount },
  { method: "GET", path: "/admin/v1/accounts", access: "admin", handler: listAccounts },
  { method: "GET", path: "/admin/v1/accounts/:id", access: "admin", handler: getAccount },
  { method: "PATCH", path: "/admin/v1/accounts/:id", access: "admin", handler: patchAccount },
  {
    method: "POST",
    path: "/admin/v1/accounts/:id/keys",
    access: "admin",
    handler: postKey,
    bodyOptional: true,
  },
  { method: "GET", path: "/admin/v1/accounts/:id/keys", access: "admin", handler: getKeys },
  { method: "DELETE", path: "/admin/v1/accounts/:id/keys/:key_id", access: "admin", handler: deleteKey },
  { method: "GET", path: "/admin/v1/accounts/:id/projects", access: "admin", handler: getAccountProjects },
  {
    method: "PATCH",
    path: "/admin/v1/accounts/:id/projects/:project_id",
    access: "admin",
    handler: patchProject,
  },
  {
    method: "POST",
    path: "/admin/v1/accounts/:id/qr-codes/:qr_id/unblock",
    access: "admin",
    handler: postUnblock,
    bodyOptional: true,
  },
  {
    method: "POST",
    path: "/admin/v1/safety/rescan",
    access: "admin",
    handler: postRescan,
    bodyOptional: true,
  },
];

/** The methods of every path. HEAD is answered wherever GET is. */
export function methodsByPath(table: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of table) {
    const known = methods.get(path) ?? [];
    known.push(method, ...(method === "GET" ? ["HEAD"] : []));
    methods.set(path, known);
  }
  return methods;
}
