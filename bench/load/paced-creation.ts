/**
 * Creates so many codes a second, evenly, whatever the answers take: a slow server does not slow it down.
 *
 * Over bare sockets: a client of `node:http` took enough of the core that it shares with the scans' clients to double their
 * p99 by itself.
 */
import { answerTo, openSockets } from "./bare-sockets.ts";
import { apiRequest, creation, rawRequest } from "./requests.ts";

export interface PacedCreation {
  /** Ends it and waits for the answers that are due. */
  stop(): Promise<{ perSecond: number; lastId: string }>;
}

const stepMs = 10;
const clients = 32;

export async function pacedCreation(url: string, key: string, perSecond: number): Promise<PacedCreation> {
  const text = rawRequest(apiRequest(key, "/v1/qr-codes", creation), new URL(url).host);
  const sockets = await openSockets(url, clients);
  const free = [...sockets];
  const waiting = new Set<Promise<void>>();
  let sent = 0;
  let lastId = "";
  let failure: unknown = null;
  const create = () => {
    // The one that waited longest: the server closes a connection on which nothing comes.
    const socket = free.shift()!;
    const created = answerTo(socket, text)
      .then((answer) => {
        const id = idOf(answer);
        if (id > lastId) lastId = id;
        free.push(socket);
      })
      .catch((cause: unknown) => {
        failure ??= cause;
      })
      .finally(() => waiting.delete(created));
    waiting.add(created);
    sent++;
  };
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    while (sent < due && free.length > 0) create();
  }, stepMs);
  return {
    async stop() {
      clearInterval(timer);
      const seconds = (performance.now() - began) / 1_000;
      await Promise.all(waiting);
      for (const socket of sockets) socket.destroy();
      if (failure !== null) throw failure;
      return { perSecond: sent / seconds, lastId };
    },
  };
}

function idOf(answer: string): string {
  const { qr_id } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { qr_id: string };
  return qr_id;
}
