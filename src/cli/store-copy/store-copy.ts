/** The operator's `store copy`: opens both stores, copies, and shows how far it is on a terminal. */
import { UnusableFolder } from "../../cluster/data-folder.ts";
import { UnreadableDocument } from "../../store/document-version.ts";
import { StoreUnavailable, UniqueViolation } from "../../store/store.ts";
import type { Json } from "../admin-client.ts";
import { copyStore, type Progress } from "./copy-store.ts";
import { CopyError, type OpenedStore, openStore } from "./open-store.ts";

const showEveryMs = 100;

export async function storeCopy(from: string | undefined, to: string | undefined): Promise<Json[]> {
  if (!from || !to)
    throw new CopyError("store copy needs --from and --to: lmdb:DATA_DIR or a mongodb:// URL");
  if (from === to) throw new CopyError("--from and --to are the same");
  const opened: OpenedStore[] = [];
  const terminal = process.stderr.isTTY ? onTerminal() : null;
  try {
    const source = await openStore(from, "source");
    opened.push(source);
    const target = await openStore(to, "target");
    opened.push(target);
    return await copyStore(source, target, terminal?.progress ?? (() => {}));
  } catch (cause) {
    throw isOfStore(cause) ? new CopyError(cause.message) : cause;
  } finally {
    terminal?.end();
    for (const { close } of opened) await close();
  }
}

function isOfStore(cause: unknown): cause is Error {
  return [UnusableFolder, StoreUnavailable, UniqueViolation, UnreadableDocument].some(
    (kind) => cause instanceof kind,
  );
}

function onTerminal(): { progress: Progress; end(): void } {
  let shownAt = 0;
  return {
    progress(step, part, items) {
      if (Date.now() - shownAt < showEveryMs) return;
      shownAt = Date.now();
      process.stderr.write(`\r\x1b[K${step} ${part}: ${items.toLocaleString("en")}`);
    },
    end: () => void process.stderr.write("\r\x1b[K"),
  };
}
