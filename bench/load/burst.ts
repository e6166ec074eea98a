/** As many clients as there are connections send the same request in the same instant; resolves when all are answered. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type LoadRequest, rawRequest } from "./requests.ts";
import { isWhole } from "./whole-answer.ts";

export interface Burst {
  send(): Promise<void>;
  close(): void;
}

/** The connections are open before anything is sent. */
export async function openBurst(url: string, request: LoadRequest, connections: number): Promise<Burst> {
  const { hostname, port, host } = new URL(url);
  const sockets = Array.from({ length: connections }, () => connect({ host: hostname, port: Number(port) }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const text = rawRequest(request, host);
  return {
    async send() {
      const answers = sockets.map(answered);
      for (const socket of sockets) socket.write(text);
      await Promise.all(answers);
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
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
