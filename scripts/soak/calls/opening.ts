/** What is there before the traffic begins: some accounts, and codes of all kinds that can be scanned. */
import { setTimeout as pause } from "node:timers/promises";
import { kinds } from "../ledger.ts";
import { readOne } from "./read-calls.ts";
import type { Account, World } from "./world.ts";
import { createOne } from "./write-calls.ts";

const firstCodes = { plain: 60, ruled: 10, limited: 4 };
const renderedMsMax = 60_000;
const leaseLookMs = 50;
/** The soak is about what the service does, not about what plans refuse. */
const unlimited = 2 ** 31;

export async function createAccounts(url: string, adminToken: string, count: number): Promise<Account[]> {
  const call = async <T>(method: string, path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    return (await answer.json()) as T;
  };
  const limits = { per_minute: unlimited, per_day: unlimited, burst: unlimited };
  const accounts: Account[] = [];
  for (let n = 0; n < count; n++) {
    const name = `Soak ${n}`;
    const { account_id: id } = await call<{ account_id: string }>("POST", "/admin/v1/accounts", {
      name,
      plan: "enterprise",
    });
    await call("PATCH", `/admin/v1/accounts/${id}`, { limits });
    const { key } = await call<{ key: string }>("POST", `/admin/v1/accounts/${id}/keys`, {});
    accounts.push({ id, key });
  }
  return accounts;
}

export async function createFirstCodes(world: World): Promise<void> {
  for (const kind of kinds) {
    for (let n = 0; n < firstCodes[kind]; n++) {
      if (!(await createOne(world, kind))) throw new Error("the first codes could not be created");
    }
  }
  const end = performance.now() + renderedMsMax;
  for (let code = world.ledger.unread(); code !== null; code = world.ledger.unread()) {
    await readOne(world, code);
    if (code.slug === null) await pause(leaseLookMs);
    if (performance.now() > end) throw new Error("the first codes were not rendered in time");
  }
}
