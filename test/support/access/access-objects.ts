/** The owner's objects, as a stranger may ask for them. */
import type { AccessWorld } from "./access-world.ts";

const codeIds = ({ code, archivedCode }: AccessWorld) => [code.qr_id, archivedCode.qr_id];
const slugs = ({ code, archivedCode }: AccessWorld) => [code.slug, archivedCode.slug];
const projectIds = (world: AccessWorld) => [world.projectId, world.archivedProjectId, world.owner.projectId];
const within = ({ stranger }: AccessWorld) => `/admin/v1/accounts/${stranger.id}`;

const views = ["trend", "countries", "devices", "referrers", "hours"];

export interface ObjectRow {
  /** The owner's objects that a stranger asks for. */
  ids: (world: AccessWorld) => string[];
  path: (id: string, world: AccessWorld) => string;
  json?: (id: string) => object;
  due: [status: number, code: string];
}

function analyticsRows(view: string): Record<string, ObjectRow> {
  return {
    [`GET /v2/analytics/qr-codes/:qr_id/${view}`]: {
      ids: codeIds,
      path: (id) => `/v2/analytics/qr-codes/${id}/${view}`,
      due: [404, "qr_not_found"],
    },
    [`GET /v2/analytics/projects/:project_id/${view}`]: {
      ids: projectIds,
      path: (id) => `/v2/analytics/projects/${id}/${view}`,
      due: [404, "project_not_found"],
    },
  };
}

/** By route, and by the place of the id where a route has more than one. */
export const objectRows: Record<string, ObjectRow> = {
  "GET /v1/qr-codes/:id": {
    ids: codeIds,
    path: (id) => `/v1/qr-codes/${id}`,
    due: [404, "qr_not_found"],
  },
  "PATCH /v1/qr-codes/:id": {
    ids: codeIds,
    path: (id) => `/v1/qr-codes/${id}`,
    json: () => ({ label: "taken", status: "archived", redirect_url: "https://example.net/" }),
    due: [404, "qr_not_found"],
  },
  "GET /v1/qr-codes/find": {
    ids: slugs,
    path: (slug) => `/v1/qr-codes/find?slug=${slug}`,
    due: [404, "qr_not_found"],
  },
  "GET /v1/qr-codes/by-slug": {
    ids: slugs,
    path: (slug) => `/v1/qr-codes/by-slug?slug=${slug}`,
    due: [404, "qr_not_found"],
  },
  "GET /v1/qr-codes": {
    ids: projectIds,
    path: (id) => `/v1/qr-codes?project_id=${id}`,
    due: [404, "project_not_found"],
  },
  "POST /v1/qr-codes": {
    ids: projectIds,
    path: () => "/v1/qr-codes",
    json: (id) => ({ redirect_url: "https://example.com/", project_id: id }),
    due: [404, "project_not_found"],
  },
  ...Object.assign({}, ...views.map(analyticsRows)),
  "GET /files/:qr_id/:file": {
    ids: codeIds,
    path: (id) => `/files/${id}/${"0".repeat(32)}.svg`,
    due: [404, "not_found"],
  },
  "PATCH /admin/v1/accounts/:id/keys/:key_id": {
    ids: ({ keyId }) => [keyId],
    path: (id, world) => `${within(world)}/keys/${id}`,
    json: () => ({ name: "taken" }),
    due: [404, "key_not_found"],
  },
  "DELETE /admin/v1/accounts/:id/keys/:key_id": {
    ids: ({ keyId }) => [keyId],
    path: (id, world) => `${within(world)}/keys/${id}`,
    due: [404, "key_not_found"],
  },
  "POST /admin/v1/accounts/:id/users/:user_id/reset": {
    ids: ({ userId }) => [userId],
    path: (id, world) => `${within(world)}/users/${id}/reset`,
    due: [404, "user_not_found"],
  },
  "PATCH /admin/v1/accounts/:id/users/:user_id": {
    ids: ({ userId }) => [userId],
    path: (id, world) => `${within(world)}/users/${id}`,
    json: () => ({ role: "member" }),
    due: [404, "user_not_found"],
  },
  "DELETE /admin/v1/accounts/:id/users/:user_id": {
    ids: ({ userId }) => [userId],
    path: (id, world) => `${within(world)}/users/${id}`,
    due: [404, "user_not_found"],
  },
  "PATCH /admin/v1/accounts/:id/projects/:project_id": {
    ids: projectIds,
    path: (id, world) => `${within(world)}/projects/${id}`,
    json: () => ({ name: "taken", archived: true }),
    due: [404, "project_not_found"],
  },
  "POST /admin/v1/accounts/:id/qr-codes/:qr_id/unblock": {
    ids: codeIds,
    path: (id, world) => `${within(world)}/qr-codes/${id}/unblock`,
    due: [404, "qr_not_found"],
  },
};
