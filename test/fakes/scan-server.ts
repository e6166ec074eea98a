/** The scan path on a real socket, over a store in memory. */

import type { CodeDoc } from "../../src/domain/documents.ts";
import { keyOfWords, slugOfKey } from "../../src/link/slug.ts";
import { registerScans, type ScanRoutes, type ScanRoutesOptions } from "../../src/redirect/link-handler.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { openScans, type Scans, type ScansOptions } from "../../src/scan/scans.ts";
import { noTrustedProxies } from "../../src/visitor/client-address.ts";
import { endsWithTest, temporaryFolder } from "../support/endings.ts";
import { testEngine } from "../support/engine.ts";
import { type Called, call } from "../support/wire/call.ts";
import { MemoryStore } from "./memory-store.ts";
import {
  putAccount,
  putCode,
  putProject,
  sampleAccount,
  sampleCode,
  sampleProject,
} from "./sample-documents.ts";

export interface ScanServer {
  port: number;
  scans: Scans;
  routes: ScanRoutes;
  logged: { message: string; detail: object }[];
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Called>;
  /** Stops serving and saves; by itself with the test that started it. */
  stop(): Promise<void>;
  /** Stops serving and saves nothing, as a crash would. */
  crash(): void;
}

export const testKey = (n: number) => keyOfWords(7, n);
export const testSlug = (n: number) => slugOfKey(testKey(n));

/** A plain code unless the changes say otherwise. */
export function code(n: number, changes: Partial<CodeDoc> = {}): CodeDoc {
  return sampleCode({
    id: `qr_${n}`,
    slug: testSlug(n),
    redirect_url: `https://example.com/${n}`,
    redirect_rules: [],
    ...changes,
  });
}

export function storeWith(...codes: CodeDoc[]): Promise<MemoryStore> {
  return filled(new MemoryStore(), codes);
}

/** One that other processes, with disks of their own, may use as well. */
export function sharedStoreWith(...codes: CodeDoc[]): Promise<MemoryStore> {
  return filled(new MemoryStore(1), codes);
}

async function filled(store: MemoryStore, codes: CodeDoc[]): Promise<MemoryStore> {
  await store.commit([putAccount(sampleAccount()), putProject(sampleProject()), ...codes.map(putCode)]);
  return store;
}

/** How often each status was answered to so many scans at once. */
export async function statuses(
  server: ScanServer,
  n: number,
  scans: number,
): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: scans }, () => server.get(`/${testSlug(n)}`)));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export async function startScans(
  options: Pick<ScansOptions, "store"> &
    Partial<ScansOptions> &
    Partial<Omit<ScanRoutesOptions, "scans">> & { clock?: Clock },
): Promise<ScanServer> {
  const logged: ScanServer["logged"] = [];
  const log = (detail: object, message: string) => logged.push({ detail, message });
  const clock = mortal(options.clock ?? systemClock);
  const scans = await openScans({
    dataDir: temporaryFolder(),
    sync: 100,
    log: { info: log, warn: log, error: log },
    ...options,
    clock,
  });
  const app = testEngine.createApp();
  const routes = registerScans(app, {
    countries: { lookup: () => null },
    trustedProxies: noTrustedProxies,
    countryHeader: null,
    onlyPeer: null,
    ...options,
    scans,
  });
  const listening = await testEngine.listen(app, "127.0.0.1", 0);
  const { port } = listening;
  let isServing = true;
  const stopServing = () => {
    isServing = false;
    listening.close();
    app.close();
  };
  return {
    port,
    scans,
    routes,
    logged,
    get: (path, headers, method) => call(`http://127.0.0.1:${port}`, { path, headers, method }),
    stop: endsWithTest(async () => {
      if (!isServing) return;
      await routes.drain();
      await scans.close();
      stopServing();
    }),
    crash() {
      clock.stop();
      stopServing();
    },
  };
}

/** A clock whose timers end with the process that is said to have crashed. */
function mortal(clock: Clock): Clock & { stop(): void } {
  let stopped = false;
  return {
    now: () => clock.now(),
    after: (ms, run) => clock.after(ms, () => stopped || run()),
    stop() {
      stopped = true;
    },
  };
}
