/**
 * The service on its store: on the embedded one it simply runs, on MongoDB it may have company (`shared.ts`).
 */
import { join } from "node:path";
import { takeDataFolder } from "../cluster/data-folder.ts";
import type { Config } from "../config.ts";
import { chooseEngine } from "../engine/choose.ts";
import type { Engine } from "../engine/engine.ts";
import { keepToOwner } from "../runtime/owner-only.ts";
import { documentText } from "../schema/texts.ts";
import { assertDocument } from "../schema/validators.ts";
import { openLmdbStore } from "../store/lmdb/lmdb-store.ts";
import { compose } from "./compose.ts";
import type { Surroundings } from "./front.ts";
import { addressOf, type Fate, type Service, type SharedDatabase, startShared } from "./shared.ts";

export type { Fate, Service } from "./shared.ts";

const unwatched: Fate = { roleChanged() {}, failed() {} };

export async function startService(
  config: Config,
  surroundings: Surroundings,
  fate: Fate = unwatched,
): Promise<Service> {
  const { engine, reason } = chooseEngine(config.httpEngine);
  surroundings.log.info({ engine: engine.name, reason }, "HTTP engine");
  const giveBack = await takeDataFolder(config.dataDir);
  try {
    closeToOthers(config.dataDir, surroundings.log);
    const service = await (config.mongodbUrl === null
      ? startEmbedded(config, engine, surroundings)
      : startOnMongo(config, engine, config.mongodbUrl, surroundings, fate));
    const { stop } = service;
    service.stop = () => stop().finally(giveBack);
    return service;
  } catch (cause) {
    await giveBack();
    throw cause;
  }
}

function closeToOthers(folder: string, log: Surroundings["log"]): void {
  const { closed, open } = keepToOwner(folder);
  if (closed.length > 0) log.info({ closed }, "other users could read the data folder; now they cannot");
  if (open.length > 0)
    log.warn({ open }, "other users can read the data folder: its rights cannot be changed");
}

async function startEmbedded(config: Config, engine: Engine, surroundings: Surroundings): Promise<Service> {
  const store = await openLmdbStore({
    path: join(config.dataDir, "store"),
    assertDocument,
    documentText,
  });
  const parts = await compose(config, engine, store, surroundings).catch(async (cause) => {
    await store.close();
    throw cause;
  });
  return {
    address: addressOf(config.host, parts.port),
    publicUrl: parts.publicUrl,
    firstKey: parts.firstKey,
    firstLink: parts.firstLink,
    adminToken: parts.adminToken,
    isOwner: () => true,
    async stop() {
      await parts.stop();
      await store.close();
    },
  };
}

async function startOnMongo(
  config: Config,
  engine: Engine,
  url: string,
  surroundings: Surroundings,
  fate: Fate,
): Promise<Service> {
  // Loaded when it is wanted: the driver takes a third of the time that all else takes at a start.
  const [{ connect }, { openMongoStore }, { mongoLease }] = await Promise.all([
    import("../store/mongo/client.ts"),
    import("../store/mongo/mongo-store.ts"),
    import("../cluster/mongo-lease.ts"),
  ]);
  const connection = await connect(url);
  const preparedAgain = (err: Error) =>
    surroundings.log.warn({ err }, "still waiting for MongoDB: it builds indexes, or is too slow to answer");
  const database: SharedDatabase = {
    lease: mongoLease(connection),
    open: (ownership) => openMongoStore({ connection, assertDocument, ownership, preparedAgain }),
    close: () => connection.client.close(),
  };
  return startShared(config, engine, database, surroundings, fate);
}
