/** Links on a real socket in a process of its own, with the real lease, whose document is with whoever started it. */
import { createLease, type LeaseRecord } from "../../src/cluster/lease.ts";
import { RightToServe, systemWatches } from "../../src/cluster/right-to-serve.ts";
import { registerScans } from "../../src/redirect/link-handler.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { openScans } from "../../src/scan/scans.ts";
import { noTrustedProxies } from "../../src/visitor/client-address.ts";
import { code, sharedStoreWith } from "../fakes/scan-server.ts";
import { temporaryFolder } from "../support/endings.ts";
import { testEngine } from "../support/engine.ts";

/** What goes between the two. */
export interface Asked {
  id: number;
  name: keyof LeaseRecord;
  given: unknown[];
}
export interface Answered {
  id: number;
  answer: unknown;
}

if (process.send !== undefined) await serve();

async function serve(): Promise<void> {
  const lease = createLease({
    record: remoteRecord(),
    clock: systemClock,
    right: new RightToServe(systemWatches),
    holder: "the child",
    changed: () => undefined,
  });
  await lease.start();
  const store = await sharedStoreWith(code(1));
  Object.assign(store, { membership: { ...store.membership, mayServe: () => lease.mayServe() } });
  const silent = { info() {}, warn() {}, error() {} };
  const scans = await openScans({
    store,
    clock: systemClock,
    dataDir: temporaryFolder(),
    sync: 100,
    log: silent,
  });
  const app = testEngine.createApp();
  registerScans(app, {
    scans,
    countries: { lookup: () => null },
    trustedProxies: noTrustedProxies,
    countryHeader: null,
    onlyPeer: null,
  });
  const { port } = await testEngine.listen(app, "127.0.0.1", 0);
  process.send!({ port });
}

function remoteRecord(): LeaseRecord {
  const waiting = new Map<number, (answer: unknown) => void>();
  process.on("message", ({ id, answer }: Answered) => {
    waiting.get(id)!(answer);
    waiting.delete(id);
  });
  let ids = 0;
  const ask =
    (name: keyof LeaseRecord) =>
    (...given: unknown[]) =>
      new Promise((resolve) => {
        const asked: Asked = { id: ids++, name, given };
        waiting.set(asked.id, resolve);
        process.send!(asked);
      });
  return Object.fromEntries(
    (["read", "nextEpoch", "insert", "replace", "renew", "watch", "release"] as const).map((name) => [
      name,
      ask(name),
    ]),
  ) as unknown as LeaseRecord;
}
