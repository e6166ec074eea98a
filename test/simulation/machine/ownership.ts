/** What a process has beside its front while it owns, as `service/owned.ts` puts it together. */
import type { Directory } from "../../../src/account/directory.ts";
import type { Gates } from "../../../src/cluster/sharing/gates.ts";
import type { Holder } from "../../../src/cluster/sharing/keeper.ts";
import type { Telling } from "../../../src/cluster/telling-store.ts";
import { SessionMeters } from "../../../src/people/session-meters.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import type { Scans } from "../../../src/scan/scans.ts";
import type { Core } from "../../../src/service/core.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Mutation } from "../mutants.ts";

export interface Ownership extends Holder {
  directory: Directory;
  sessions: SessionMeters;
  quiet(): Promise<void>;
  decideNothing(): void;
  close(): Promise<unknown>;
}

export type OwnedCore = Core & { sessions: SessionMeters };

/** So few that a short run meets them. */
export const sessionLimits = { burst: 3, per_minute: 60, per_day: 100_000, reserved: 5 };

export function sessionsOf({ directory }: Core, store: Store, clock: Clock): SessionMeters {
  return new SessionMeters({
    ...{ store, clock, limits: sessionLimits },
    commit: (writes) => directory.create(writes),
  });
}

export interface OwnershipParts {
  core: OwnedCore;
  gates: Gates;
  telling: Telling<Store>;
  scans: Scans;
  mutation: Mutation;
  isOurs(): boolean;
  decideNothing(): void;
}

export function ownershipOf(parts: OwnershipParts): Ownership {
  const { core, gates, telling, scans, mutation, isOurs, decideNothing } = parts;
  const { directory, renders, sessions } = core;
  return {
    directory,
    sessions,
    async release(partitions) {
      if (!mutation.givesAwayUndrained && !(await gates.close(partitions))) return null;
      gates.shut(partitions);
      renders.letGo();
      if (mutation.givesAwayUndrained) return [];
      try {
        await directory.evacuate();
        await scans.saveLimited();
        await telling.settled();
        const meters = directory.handOver();
        return mutation.forgetsMeters ? [] : meters;
      } catch {
        if (isOurs()) gates.open(partitions);
        return null;
      }
    },
    take(partitions, meters) {
      if (!isOurs()) return;
      directory.receive(meters);
      gates.open(partitions);
      void renders.start();
    },
    quiet: () => renders.close(),
    decideNothing,
    close: () => core.close().finally(() => (isOurs() ? telling.settled() : telling.forgive())),
  };
}
