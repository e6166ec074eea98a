/** A service with an account, its owner and a member, all signed in, and the operator. */
import type { Json } from "../client.ts";
import { type ServerOptions, startServer, type TestAccount, type TestServer } from "../server.ts";
import { PageClient } from "./page-client.ts";

export const password = "correct horse battery";
export const adminToken = "people-admin-token";

export interface PeopleWorld {
  server: TestServer;
  adminToken: string;
  owner: PageClient;
  member: PageClient;
  operator: PageClient;
  ownerId: string;
  memberId: string;
  /** Another account, with an owner of its own. */
  stranger: TestAccount;
}

export async function makePeople(options: ServerOptions = {}): Promise<PeopleWorld> {
  const server = await startServer({ ...options, env: { ADMIN_TOKEN: adminToken, ...options.env } });
  const stranger = await server.newAccount();
  const [owner, member, operator] = [1, 2, 3].map(() => new PageClient(server.url)) as [
    PageClient,
    PageClient,
    PageClient,
  ];
  const invited = await invite(server, server.account.id, "owner@example.com", "owner");
  await useLink(owner, invited);
  const asked = { email: "member@example.com", role: "member" };
  const second = (await owner.post("/users", asked, 201)).body;
  await useLink(member, second);
  await invite(server, stranger.id, "stranger@example.com", "owner");
  await operator.post("/session", { admin_token: adminToken }, 200);
  const [ownerId, memberId] = [invited.user_id, second.user_id];
  return { server, adminToken, owner, member, operator, ownerId, memberId, stranger };
}

export async function invite(
  server: TestServer,
  account: string,
  email: string,
  role: string,
): Promise<Json> {
  return (await server.admin.post(`/admin/v1/accounts/${account}/users`, { email, role }, 201)).body;
}

export const tokenOf = ({ one_time_link }: Json): string => new URL(one_time_link).hash.slice(1);

export async function useLink(page: PageClient, invited: Json): Promise<void> {
  await page.post("/password", { token: tokenOf(invited), password }, 200);
}
