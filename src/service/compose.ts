/** A process that decides for all accounts from its start to its end: the front, and what is beside it. */
import type { Config } from "../config.ts";
import type { Engine } from "../engine/engine.ts";
import type { Store } from "../store/store.ts";
import { openFront, type Surroundings } from "./front.ts";
import { alone, type FirstStart, openOwned } from "./owned.ts";

export interface Composition extends FirstStart {
  port: number;
  publicUrl: string;
  adminToken: string;
  /** Lets requests in flight end and stores everything. The store stays open. */
  stop(): Promise<void>;
}

export async function compose(
  config: Config,
  engine: Engine,
  bareStore: Store,
  surroundings: Surroundings,
): Promise<Composition> {
  const front = await openFront(config, engine, bareStore, surroundings, null);
  const { adminToken } = front;
  try {
    const owned = await openOwned(front, front.store, alone);
    const stop = async () => {
      await front.stopListening();
      await owned.close().finally(() => front.close());
    };
    try {
      front.decide(owned);
      const port = await front.listen();
      return { port, publicUrl: front.publicUrl(), adminToken, ...(await owned.start()), stop };
    } catch (cause) {
      await stop().catch(() => {});
      throw cause;
    }
  } catch (cause) {
    await front.close().catch(() => {});
    throw cause;
  }
}
