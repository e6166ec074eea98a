import type { ApiClient } from "./api-client.ts";

export interface PacedCreation {
  /** Ends it and waits for the answers that are due. */
  stop(): Promise<{ perSecond: number; lastId: string }>;
}

const stepMs = 10;
const waitingMax = 1_000;

/** Creates so many codes a second, evenly, whatever the answers take: a slow server does not slow it down. */
export function pacedCreation(api: ApiClient, perSecond: number): PacedCreation {
  const began = performance.now();
  const waiting = new Set<Promise<void>>();
  let sent = 0;
  let lastId = "";
  let failure: unknown = null;
  const create = () => {
    const creation = api
      .create({ name: `Made ${sent}`, redirect_url: `https://shop.example.com/made/${sent}` })
      .then((id) => {
        if (id > lastId) lastId = id;
      })
      .catch((cause: unknown) => {
        failure ??= cause;
      })
      .finally(() => waiting.delete(creation));
    waiting.add(creation);
    sent++;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    while (sent < due && waiting.size < waitingMax) create();
  }, stepMs);
  return {
    async stop() {
      clearInterval(timer);
      const seconds = (performance.now() - began) / 1_000;
      await Promise.all(waiting);
      if (failure !== null) throw failure;
      return { perSecond: sent / seconds, lastId };
    },
  };
}
