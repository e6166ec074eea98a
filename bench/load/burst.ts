import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type LoadRequest, rawRequest } from "./requests.ts";
import { isWhole } from "./whole-answer.ts";

/** The same request by as many clients in the same instant, their connections open before; resolves when all are answered. */
export async function sendAtOnce(url: string, request: LoadRequest, clients: number): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const sockets = Array.from({ length: clients }, () => connect({ host: hostname, port: Number(port) }));
  try {
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const answers = sockets.map(answered);
    const text = rawRequest(request, host);
    for (const socket of sockets) socket.write(text);
    await Promise.all(answers);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const read = (bytes: Buffer) => {
      answer += bytes.toString("latin1");
      if (!isWhole(answer)) return;
      socket.off("data", read);
      if (/^HTTP\/1\.1 2/.test(answer)) resolve();
      else reject(new Error(`one of a burst was answered with ${answer.split("\r\n", 1)[0]}`));
    };
    socket.on("data", read);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server closed a connection of a burst")));
  });
}
