/** What handlers of the API work with, as far as a simulated process has it. */
import { FairTurns } from "../../../src/account/fair-turns.ts";
import { pageTokens } from "../../../src/api/list-pages.ts";
import type { ApiParts } from "../../../src/api/operations.ts";
import { builtInPlans } from "../../../src/domain/account/plans.ts";
import type { AccessParts } from "../../../src/door/access.ts";
import { People } from "../../../src/people/people.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import type { Random } from "../../../src/runtime/random.ts";
import type { Core } from "../../../src/service/core.ts";
import type { Store } from "../../../src/store/store.ts";

export const publicUrl = "https://qr.example.com";

export function apiPartsOf(core: Core, store: Store, clock: Clock, random: Random): ApiParts & AccessParts {
  return {
    ...core,
    engine: "node",
    store,
    links: core.scans.links,
    analytics: { completeUntil: 0, movesOf: () => Promise.resolve(0) },
    plans: builtInPlans,
    tokens: pageTokens(new Uint8Array(32)),
    searches: new FairTurns(),
    publicUrl: () => publicUrl,
    adminGuard: { check() {}, checkMetrics() {} },
    cluster: null as never,
    sessionGuard: null as never,
    people: new People({
      ...{ store, clock, random, commit: (writes) => core.directory.create(writes) },
      ...{ passwords: null as never, sessions: null as never, meters: null as never },
    }),
    metricsAccess: "off",
    mayServe: core.scans.mayServe,
    remoteCheck: null,
    metrics: null as never,
    clock,
    random,
    problems: () => Promise.resolve([]),
  };
}
