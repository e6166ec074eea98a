/**
 * One who has signed in and asks more often than a session may, at all members. Of the moment at which a request is let
 * through nothing is told, so those count that were asked and answered in the same window.
 */
import { dayMs, minuteMs, noWindow, secondMs } from "../../../src/domain/account/rate-window.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { putSession } from "../../../src/people/sessions.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { require } from "../checks/ledger.ts";
import type { Client } from "../clients/population.ts";
import { sessionLimits } from "../machine/ownership.ts";
import type { MembersWorld } from "./members-world.ts";

/** How long it goes on. */
const askingMs = 30_000;
const together = 3;
const id = "5e".repeat(32);

export function signedIn(world: MembersWorld): Client {
  const random = world.random.fork();
  const { loop } = world;
  const passed = new Map<string, number>();
  const began = loop.now();
  const operator = { account_id: null, user_id: null, credential: "the operator's" };
  world.store.database.commit([
    putSession({
      ...{ id, ...operator, minute: noWindow, day: noWindow },
      ...{ created_at: began, expires_at: began + dayMs },
    }),
  ]);

  async function ask(): Promise<void> {
    const deciding = world.members.filter((member) => member.isAlive && member.partitions > 0);
    if (deciding.length === 0) return;
    const asked = loop.now();
    const taken = await random.pick(deciding).takeOfSession(id);
    if (taken?.refused !== null) return;
    for (const [name, lengthMs, limit] of [
      ["second", secondMs, sessionLimits.burst],
      ["minute", minuteMs, sessionLimits.per_minute],
    ] as const) {
      const start = asked - (asked % lengthMs);
      if (loop.now() >= start + lengthMs) continue;
      const count = (passed.get(`${name} ${start}`) ?? 0) + 1;
      passed.set(`${name} ${start}`, count);
      require(count <= limit, () =>
        `${count} requests of a session passed in a ${name}, the limit is ${limit}`);
    }
  }

  /** Whoever dies answers nothing. */
  const asked = () =>
    Promise.race([ask(), loop.sleep(secondMs)]).catch((cause) => {
      if (!(cause instanceof ApiError || cause instanceof StoreUnavailable)) world.failed(cause);
    });

  return async () => {
    const until = loop.now() + askingMs;
    const asking: Promise<unknown>[] = [];
    while (loop.now() < until) {
      for (let n = 0; n < together; n++) asking.push(asked());
      await loop.sleep(random.between(100, 500));
    }
    await Promise.all(asking);
  };
}
