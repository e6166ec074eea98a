/**
 * One who asks more often than is allowed, at all members at once and for as long as members come and go: so that windows
 * are used up when accounts change hands.
 */
import type { AccountRecord } from "../checks/ledger.ts";
import { callWithKey } from "../clients/key-holder.ts";
import { type Client, newcomer } from "../clients/population.ts";
import type { MembersWorld } from "./members-world.ts";

/** How long it goes on. */
const hastyMs = 30_000;
const together = 3;

export function hastyCaller(world: MembersWorld): Client {
  const random = world.random.fork();
  const account: AccountRecord = newcomer(world, () => ({
    ...{ qr_cap: 10, projects: 10, per_day: 100_000 },
    per_minute: random.pick([40, 1_000]),
    burst: random.between(2, 4),
  }));
  return async () => {
    const until = world.loop.now() + hastyMs;
    const calls: Promise<unknown>[] = [];
    while (world.loop.now() < until) {
      for (let n = 0; n < together; n++) {
        calls.push(callWithKey(world, account, "GET", "/v1/projects", {}).catch(world.failed));
      }
      await world.loop.sleep(random.between(100, 500));
    }
    await Promise.all(calls);
  };
}
