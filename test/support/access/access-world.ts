/** One account that owns things, another that is a stranger to it, and every way to come without a right. */
import { ManualClock } from "../../fakes/manual-clock.ts";
import type { Json } from "../client.ts";
import { PageClient } from "../pages/page-client.ts";
import { startServer, type TestAccount, type TestServer } from "../server.ts";

export interface AccessWorld {
  server: TestServer;
  adminToken: string;
  owner: TestAccount;
  stranger: TestAccount;
  revokedKey: string;
  /** Of an account without API access. */
  disabledKey: string;
  /** The owner's; all codes are rendered. */
  code: Json;
  archivedCode: Json;
  projectId: string;
  archivedProjectId: string;
  keyId: string;
  userId: string;
  /** The cookies of a user and of the operator who have signed in to the dashboard. */
  sessions: { user: string; operator: string };
}

export async function makeAccessWorld(): Promise<AccessWorld> {
  const adminToken = "access-table-admin-token";
  const server = await startServer({
    // Time stands still, so that what is left of a minute is the same in every answer.
    clock: new ManualClock(),
    // Wrong admin tokens are counted by address, and a trusted proxy says which.
    env: { ADMIN_TOKEN: adminToken, TRUSTED_PROXIES: "127.0.0.1" },
  });
  const { admin } = server;
  const [owner, stranger] = [await server.newAccount(), await server.newAccount({ limits: { keys: 1_000 } })];
  const ofOwner = `/admin/v1/accounts/${owner.id}`;
  const newKey = async (): Promise<Json> => (await admin.post(`${ofOwner}/keys`, {}, 201)).body;
  const newProject = async (): Promise<string> =>
    (await owner.api.post("/v1/projects", { name: "mine" }, 201)).body.project_id;

  const [code, archivedCode] = [await owner.api.createRendered(), await owner.api.createRendered()];
  await owner.api.patch(`/v1/qr-codes/${archivedCode.qr_id}`, { status: "archived" }, 200);
  const [projectId, archivedProjectId] = [await newProject(), await newProject()];
  await admin.patch(`${ofOwner}/projects/${archivedProjectId}`, { archived: true }, 200);
  const revoked = await newKey();
  await admin.delete(`${ofOwner}/keys/${revoked.key_id}`, 200);
  const user = (await admin.post(`${ofOwner}/users`, { email: "owner@example.com", role: "owner" }, 201))
    .body;
  const [page, operatorsPage] = [new PageClient(server.url), new PageClient(server.url)];
  const token = new URL(user.one_time_link).hash.slice(1);
  await page.post("/password", { token, password: "correct horse" }, 200);
  await operatorsPage.post("/session", { admin_token: adminToken }, 200);
  return {
    server,
    adminToken,
    owner,
    stranger,
    revokedKey: revoked.key,
    disabledKey: (await server.newAccount({ api_access: false })).key,
    code,
    archivedCode,
    projectId,
    archivedProjectId,
    keyId: (await newKey()).key_id,
    userId: user.user_id,
    sessions: { user: page.cookie, operator: operatorsPage.cookie },
  };
}

/** All that the owner has, as far as it is not about the asking itself. */
export async function belongings({ server, owner, code }: AccessWorld): Promise<Json> {
  const ofOwner = `/admin/v1/accounts/${owner.id}`;
  const { usage, request_id: _, ...fields } = (await server.admin.get(ofOwner, 200)).body;
  const keys = (await server.admin.get(`${ofOwner}/keys`, 200)).body.items;
  const { request_id: __, ...first } = (await owner.api.get(`/v1/qr-codes/${code.qr_id}`, 200)).body;
  return {
    fields,
    first,
    activeCodes: usage.active_codes,
    keys: keys.map(({ last_used_at: _, ...key }: Json) => key),
    projects: (await server.admin.get(`${ofOwner}/projects`, 200)).body.items,
    codes: (await owner.api.get("/v1/qr-codes?status=active&status=archived", 200)).body.items,
    accounts: (await server.admin.get("/admin/v1/accounts?page_size=100", 200)).body.items.length,
  };
}
