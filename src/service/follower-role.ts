/**
 * A process that stands by until it can follow. To follow takes a number and whatever its journal still has brought to
 * the store, so MongoDB must answer; until it does, everybody is told to try again.
 */
import { leaseLookMs } from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import { StoreUnavailable } from "../store/store.ts";
import type { Role } from "./roles.ts";

export interface FollowerCast {
  standBy(): Promise<Role>;
  /** Prepares all that needs the store; what it resolves with begins to serve. Both roles listen at one place. */
  prepare(): Promise<() => Promise<Role>>;
  clock: Clock;
  /** What waiting cannot mend. */
  failed(cause: unknown): void;
}

export async function followWhenPossible(cast: FollowerCast): Promise<Role> {
  const standby = await cast.standBy();
  let follower: Role | null = null;
  let isLeft = false;
  let wake = () => {};

  async function prepared(): Promise<(() => Promise<Role>) | null> {
    while (!isLeft) {
      try {
        return await cast.prepare();
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable)) throw cause;
        await new Promise<void>((resolve) => {
          wake = resolve;
          cast.clock.after(leaseLookMs, resolve);
        });
      }
    }
    return null;
  }

  const becoming = prepared()
    .then(async (serve) => {
      await standby.leave();
      if (serve !== null) follower = await serve();
    })
    .catch((cause) => cast.failed(cause));
  return {
    async leave() {
      isLeft = true;
      wake();
      await becoming;
      await follower?.leave();
    },
  };
}
