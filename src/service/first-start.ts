/** The first start: an account to try the service with, and how to use it. */
import { type Directory, hashKey } from "../account/directory.ts";
import { createKey, newAccount } from "../domain/account/account-commands.ts";
import { defaultPlan, type Plans } from "../domain/account/plans.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import type { Store } from "../store/store.ts";

/** Makes the demo account on an empty store; gives its key, or null when the store is not empty. */
export async function bootstrap(
  store: Pick<Store, "listAccounts">,
  directory: Directory,
  plans: Plans,
  clock: Clock,
  random: Random,
): Promise<string | null> {
  const { items } = await store.listAccounts({ before: null, limit: 1 });
  if (items.length > 0) return null;
  const plan = planToTry(plans);
  const { account, writes } = newAccount({ name: "demo", plan }, plans, clock.now(), random);
  await directory.create(writes);
  const { key } = await directory.run(account.id, createKey("first key", random, hashKey));
  return key;
}

/** One that lets every feature be tried, as far as there is one; of several the first. */
function planToTry(plans: Plans): string {
  const all = [...plans];
  const found = all.find(([, plan]) => plan.creates && plan.advanced) ?? all.find(([, plan]) => plan.creates);
  return found?.[0] ?? defaultPlan;
}

/** Shown once: the key cannot be had again. */
export function welcome(key: string, address: string): string {
  return `
  Welcome to qrelay. An account "demo" was created, with this API key (it is shown only now):

      ${key}

  Create a first code:

      curl -s ${address}/v1/qr-codes \\
        -H 'x-api-key: ${key}' \\
        -H 'content-type: application/json' \\
        -d '{"name":"Hello","redirect_url":"https://example.com/"}'

  Documentation: ${address}/docs
`;
}
