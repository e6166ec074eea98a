/** A store and a disk whose answers wait while the process is paused. */
import type { JournalDisk } from "../../../src/scan/journal/disk.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Gate } from "../gate.ts";

export function guardedStore(gate: Gate, store: Store): Store {
  return gate.guard({ ...store, parts: gate.guard(store.parts) });
}

export function guardedDisk(gate: Gate, disk: JournalDisk): JournalDisk {
  const guarded = (done: (error: Error | null) => void) => (error: Error | null) =>
    gate.run("answer", () => done(error));
  return {
    ...disk,
    sync: (file, done) => disk.sync(file, guarded(done)),
    syncDirectory: (path, done) => disk.syncDirectory(path, guarded(done)),
  };
}
