import { answerTo, openSockets } from "./bare-sockets.ts";
import { type LoadRequest, rawRequest } from "./requests.ts";

/** The same request by as many clients in the same instant, their connections open before; resolves when all are answered. */
export async function sendAtOnce(url: string, request: LoadRequest, clients: number): Promise<void> {
  const sockets = await openSockets(url, clients);
  try {
    const text = rawRequest(request, new URL(url).host);
    await Promise.all(sockets.map((socket) => answerTo(socket, text)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
