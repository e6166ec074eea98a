/** What generated requests speak of: accounts, codes, projects and keys that are there before the first one. */
import { Client, type Json } from "../client.ts";

export interface Caller {
  key: string;
  accountId: string;
  projectIds: string[];
  /** Rendered, and never changed: reads of them succeed. */
  settled: Json[];
  /** Changed all the time, archived too. */
  changing: { qr_id: string; type: string }[];
}

export interface World {
  callers: readonly Caller[];
  /** Accounts whose keys, projects and codes the operator changes. */
  kept: readonly {
    accountId: string;
    keyIds: string[];
    userIds: string[];
    projectIds: string[];
    codeIds: string[];
  }[];
  /** Accounts that are changed themselves. */
  changingAccountIds: readonly string[];
  /** Names of the scripts of the documentation. */
  scripts: readonly string[];
}

const unlimited = { qr_cap: 1e9, per_minute: 1e9, per_day: 1e9, burst: 1e9, keys: 1e6, projects: 1e9 };
const codeBodies = [
  { redirect_url: "https://example.com/a" },
  { type: "dynamic_url", redirect_url: "https://example.com/b" },
  { type: "text", text: "Hello", redirect_url: "" },
];

export async function makeWorld(url: string, adminToken: string): Promise<World> {
  const admin = new Client(url, { authorization: `Bearer ${adminToken}` });
  const newAccount = async (name: string): Promise<{ id: string; projectId: string }> => {
    const { body } = await admin.post("/admin/v1/accounts", { name, plan: "enterprise" }, 201);
    await admin.patch(`/admin/v1/accounts/${body.account_id}`, { limits: unlimited }, 200);
    return { id: body.account_id, projectId: body.default_project_id };
  };
  const newKey = async (id: string): Promise<Json> =>
    (await admin.post(`/admin/v1/accounts/${id}/keys`, {}, 201)).body;

  const newCaller = async (): Promise<Caller> => {
    const { id, projectId } = await newAccount("caller");
    const { key } = await newKey(id);
    const api = new Client(url, { "x-api-key": key });
    const { body: project } = await api.post("/v1/projects", { name: "second" }, 201);
    const settled = await Promise.all(codeBodies.map((body) => api.createRendered(body)));
    const changing = await Promise.all([...codeBodies, ...codeBodies].map((body) => api.createCode(body)));
    return { key, accountId: id, projectIds: [projectId, project.project_id], settled, changing };
  };
  const newKept = async (): Promise<World["kept"][number]> => {
    const { id } = await newAccount("kept");
    const { key } = await newKey(id);
    const api = new Client(url, { "x-api-key": key });
    const { body: project } = await api.post("/v1/projects", { name: "to be archived" }, 201);
    const { qr_id } = await api.createCode();
    const { key_id } = await newKey(id);
    const user = { email: `${id}@example.com` };
    const { body: made } = await admin.post(`/admin/v1/accounts/${id}/users`, user, 201);
    const userIds: string[] = [made.user_id];
    return { accountId: id, keyIds: [key_id], userIds, projectIds: [project.project_id], codeIds: [qr_id] };
  };

  const docs = await new Client(url).get("/docs", 200);
  return {
    scripts: [...docs.text.matchAll(/<script src="\/docs\/([^"]*)"/g)].map(([, name]) => name!),
    callers: await Promise.all(Array.from({ length: 4 }, newCaller)),
    kept: await Promise.all(Array.from({ length: 8 }, newKept)),
    changingAccountIds: await Promise.all(
      Array.from({ length: 4 }, async () => (await newAccount("changing")).id),
    ),
  };
}

/** The codes of the callers that could not be drawn. What was accepted must be drawable. */
export async function failedRenders(url: string, { callers }: World): Promise<Json[]> {
  const failed: Json[] = [];
  for (const { key } of callers) {
    const api = new Client(url, { "x-api-key": key });
    failed.push(...(await api.allCodes()).filter(({ render_status }) => render_status === "error"));
  }
  return failed;
}
