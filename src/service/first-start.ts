/** The first start: an account to try the service with, and how to use it. */
import { type Directory, hashKey } from "../account/directory.ts";
import { createKey, newAccount } from "../domain/account/account-commands.ts";
import { defaultPlan, type Plans } from "../domain/account/plans.ts";
import type { People } from "../people/people.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import type { Store } from "../store/store.ts";

/** How to use the demo account: each is shown once. */
export interface FirstAccess {
  key: string;
  /** With which its owner sets a password for the dashboard. */
  token: string;
}

export interface FirstStartParts {
  store: Pick<Store, "listAccounts">;
  directory: Directory;
  people: Pick<People, "create">;
  plans: Plans;
  clock: Clock;
  random: Random;
}

/** A reserved name: no mail can go there. */
const demoEmail = "demo@example.com";

/** Makes the demo account with an owner on an empty store; null when the store is not empty. */
export async function bootstrap(parts: FirstStartParts): Promise<FirstAccess | null> {
  const { store, directory, people, plans, clock, random } = parts;
  const { items } = await store.listAccounts({ before: null, limit: 1 });
  if (items.length > 0) return null;
  const plan = planToTry(plans);
  const { account, writes } = newAccount({ name: "demo", plan }, plans, clock.now(), random);
  await directory.create(writes);
  const { key } = await directory.run(account.id, createKey("first key", random, hashKey));
  const { token } = await people.create({ accountId: account.id, email: demoEmail, role: "owner" });
  return { key, token };
}

/** One that lets every feature be tried, as far as there is one; of several the first. */
function planToTry(plans: Plans): string {
  const all = [...plans];
  const found = all.find(([, plan]) => plan.creates && plan.advanced) ?? all.find(([, plan]) => plan.creates);
  return found?.[0] ?? defaultPlan;
}

/** Shown once: neither the key nor the link can be had again. */
export function welcome(key: string, link: string, address: string): string {
  return `
  Welcome to qrelay. An account "demo" was created, with this API key (it is shown only now):

      ${key}

  Create a first code:

      curl -s ${address}/v1/qr-codes \\
        -H 'x-api-key: ${key}' \\
        -H 'content-type: application/json' \\
        -d '{"name":"Hello","redirect_url":"https://example.com/"}'

  The dashboard: open this link, within a day, and set a password for ${demoEmail}:

      ${link}

  Documentation: ${address}/docs
`;
}
