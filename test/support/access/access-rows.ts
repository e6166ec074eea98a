import type { AccessWorld } from "./access-world.ts";

export type Due = [status: number, code?: string];

export interface AccessRow {
  path: (world: AccessWorld) => string;
  json?: object;
  /** To whom the object belongs, or whoever asks for what is his own. */
  own: number;
  /** To the holder of another account's key. */
  other?: Due;
}

const notFound: Due = [404, "qr_not_found"];
const views = ["trend", "countries", "devices", "referrers", "hours"];
const ofCode = "/v2/analytics/qr-codes";
const ofProject = "/v2/analytics/projects";

function analyticsRows(view: string): Record<string, AccessRow> {
  return {
    [`GET ${ofCode}/:qr_id/${view}`]: {
      path: ({ code }) => `${ofCode}/${code.qr_id}/${view}`,
      own: 200,
      other: notFound,
    },
    [`GET ${ofProject}/:project_id/${view}`]: {
      path: ({ projectId }) => `${ofProject}/${projectId}/${view}`,
      own: 200,
      other: [404, "project_not_found"],
    },
    [`GET /v2/analytics/account/${view}`]: {
      path: () => `/v2/analytics/account/${view}`,
      own: 200,
      other: [200],
    },
  };
}

const account = ({ owner }: AccessWorld) => `/admin/v1/accounts/${owner.id}`;

/** Every route has a row; for the owner's objects where it has an id. */
export const accessRows: Record<string, AccessRow> = {
  "GET /v1/projects": { path: () => "/v1/projects", own: 200, other: [200] },
  "POST /v1/projects": { path: () => "/v1/projects", json: { name: "new" }, own: 201, other: [201] },
  "GET /v1/qr-codes": { path: () => "/v1/qr-codes", own: 200, other: [200] },
  "POST /v1/qr-codes": {
    path: () => "/v1/qr-codes",
    json: { redirect_url: "https://example.com/" },
    own: 201,
    other: [201],
  },
  "GET /v1/qr-codes/find": {
    path: ({ code }) => `/v1/qr-codes/find?slug=${code.slug}`,
    own: 200,
    other: notFound,
  },
  "GET /v1/qr-codes/by-slug": {
    path: ({ code }) => `/v1/qr-codes/by-slug?slug=${code.slug}`,
    own: 200,
    other: notFound,
  },
  "GET /v1/qr-codes/:id": { path: ({ code }) => `/v1/qr-codes/${code.qr_id}`, own: 200, other: notFound },
  "PATCH /v1/qr-codes/:id": {
    path: ({ code }) => `/v1/qr-codes/${code.qr_id}`,
    json: { label: "changed" },
    own: 200,
    other: notFound,
  },

  ...Object.assign({}, ...views.map(analyticsRows)),

  "GET /files/:qr_id/:file": { path: ({ code }) => new URL(code.file_url_svg).pathname, own: 200 },
  // A page for those who ask for HTML, nothing for others.
  "GET /": { path: () => "/", own: 404 },
  "GET /openapi.json": { path: () => "/openapi.json", own: 200 },
  "GET /docs": { path: () => "/docs", own: 200 },
  // The name of a script is known to the page alone.
  "GET /docs/:script": { path: () => "/docs/start.js", own: 404 },
  "GET /healthz": { path: () => "/healthz", own: 200 },
  "GET /readyz": { path: () => "/readyz", own: 200 },
  "GET /metrics": { path: () => "/metrics", own: 200 },
  "GET /admin/openapi.json": { path: () => "/admin/openapi.json", own: 200 },

  "POST /admin/v1/accounts": { path: () => "/admin/v1/accounts", json: { name: "new" }, own: 201 },
  "GET /admin/v1/accounts": { path: () => "/admin/v1/accounts", own: 200 },
  "GET /admin/v1/accounts/:id": { path: account, own: 200 },
  "PATCH /admin/v1/accounts/:id": { path: account, json: { name: "changed" }, own: 200 },
  "POST /admin/v1/accounts/:id/keys": { path: (world) => `${account(world)}/keys`, own: 201 },
  "GET /admin/v1/accounts/:id/keys": { path: (world) => `${account(world)}/keys`, own: 200 },
  "PATCH /admin/v1/accounts/:id/keys/:key_id": {
    path: (world) => `${account(world)}/keys/${world.keyId}`,
    json: { name: "changed" },
    own: 200,
  },
  "DELETE /admin/v1/accounts/:id/keys/:key_id": {
    path: (world) => `${account(world)}/keys/${world.keyId}`,
    own: 200,
  },
  "GET /admin/v1/accounts/:id/projects": { path: (world) => `${account(world)}/projects`, own: 200 },
  "PATCH /admin/v1/accounts/:id/projects/:project_id": {
    path: (world) => `${account(world)}/projects/${world.projectId}`,
    json: { archived: true },
    own: 200,
  },
  "GET /admin/v1/accounts/:id/users": { path: (world) => `${account(world)}/users`, own: 200 },
  "POST /admin/v1/accounts/:id/users": {
    path: (world) => `${account(world)}/users`,
    json: { email: "new@example.com" },
    own: 201,
  },
  "POST /admin/v1/accounts/:id/users/:user_id/reset": {
    path: (world) => `${account(world)}/users/${world.userId}/reset`,
    own: 200,
  },
  "PATCH /admin/v1/accounts/:id/users/:user_id": {
    path: (world) => `${account(world)}/users/${world.userId}`,
    json: { role: "member" },
    own: 200,
  },
  "DELETE /admin/v1/accounts/:id/users/:user_id": {
    path: (world) => `${account(world)}/users/${world.userId}`,
    own: 200,
  },
  "POST /admin/v1/accounts/:id/qr-codes/:qr_id/unblock": {
    path: (world) => `${account(world)}/qr-codes/${world.code.qr_id}/unblock`,
    own: 200,
  },
  "POST /admin/v1/safety/rescan": { path: () => "/admin/v1/safety/rescan", own: 200 },
  "GET /admin/v1/cluster": { path: () => "/admin/v1/cluster", own: 200 },
};
