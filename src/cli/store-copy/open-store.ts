/** Stores by their address: `lmdb:DATA_DIR` or a MongoDB URL. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { takeDataFolder } from "../../cluster/data-folder.ts";
import { createLease } from "../../cluster/lease.ts";
import { mongoLease } from "../../cluster/mongo-lease.ts";
import { RightToServe, systemWatches } from "../../cluster/right-to-serve.ts";
import { systemClock } from "../../runtime/clock.ts";
import { realDisk } from "../../scan/journal/disk.ts";
import { journalDirectory, recoverJournal } from "../../scan/journal/recovery.ts";
import { documentText } from "../../schema/texts.ts";
import { assertDocument } from "../../schema/validators.ts";
import { openLmdbStore } from "../../store/lmdb/lmdb-store.ts";
import { type Connection, connect } from "../../store/mongo/client.ts";
import { openMongoStore } from "../../store/mongo/mongo-store.ts";
import { isMongoUrl, mongoUrlForm, withoutPassword, withoutUserInfo } from "../../store/mongo/url.ts";
import type { WholeStore } from "../../store/store.ts";
import { CommandError } from "../command-error.ts";
import { patiently } from "./patience.ts";

export interface OpenedStore {
  /** The address as it may be shown. */
  name: string;
  store: WholeStore;
  close(): Promise<void>;
}

const silent = { info() {}, error() {} };

/** A copy that cannot be made; the message says why. */
export class CopyError extends CommandError {
  override name = "CopyError";
}

/** A source must be there; a target is made. */
export function openStore(address: string, part: "source" | "target"): Promise<OpenedStore> {
  if (address.startsWith("lmdb:")) return openLmdb(address, part);
  if (isMongoUrl(address)) return openMongo(address);
  throw new CopyError(`${withoutPassword(address)} is neither lmdb:DATA_DIR nor ${mongoUrlForm}`);
}

async function openLmdb(address: string, part: "source" | "target"): Promise<OpenedStore> {
  const folder = address.slice("lmdb:".length);
  const path = join(folder, "store");
  if (part === "source") {
    await access(join(path, "data.mdb")).catch(() => {
      throw new CopyError(`there is no store in ${path}`);
    });
  }
  const giveBack = await takeDataFolder(folder);
  const store = await openLmdbStore({ path, assertDocument, documentText });
  const close = () => store.close().finally(giveBack);
  try {
    await recoverJournal(
      { disk: realDisk, directory: journalDirectory(folder), now: systemClock.now(), log: silent },
      store,
    );
    return { name: address, store, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Owns the database while it is open, so that nothing changes under the copy. */
async function openMongo(url: string): Promise<OpenedStore> {
  const name = withoutUserInfo(url);
  const connection = await connect(url);
  const disconnect = () => connection.client.close();
  try {
    const { store, release } = await patiently(() => ownStore(connection, name));
    return { name, store, close: () => release().finally(disconnect) };
  } catch (cause) {
    await disconnect();
    throw cause;
  }
}

async function ownStore(connection: Connection, name: string) {
  const lease = createLease({
    record: mongoLease(connection),
    clock: systemClock,
    right: new RightToServe(systemWatches),
    holder: `store copy, process ${process.pid}, since ${Date.now()}`,
    changed: () => undefined,
  });
  const release = () => lease.release();
  try {
    const store = await openMongoStore({ connection, assertDocument, ownership: lease });
    await lease.start();
    if (lease.epoch() === null) {
      throw new CopyError(`${name} is in use: stop the service, or wait some seconds if it was killed`);
    }
    await store.parts.fold(systemClock.now(), () => undefined);
    return { store, release };
  } catch (cause) {
    await release();
    throw cause;
  }
}
