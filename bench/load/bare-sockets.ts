/** Clients that cost next to nothing: connections that are open before, and prepared requests over them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { isWhole } from "./whole-answer.ts";

const isGood = /^HTTP\/1\.1 2/;

export async function openSockets(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  // Between two requests nobody listens; the next one is told that the connection is gone.
  for (const socket of sockets) socket.on("error", () => {});
  return sockets;
}

/** Sends a request on a connection that waits for no answer; gives the whole answer, if it is a good one. */
export function answerTo(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const end = (settle: () => void) => {
      socket.off("data", read).off("error", fail).off("close", closed);
      settle();
    };
    const fail = (cause: Error) => end(() => reject(cause));
    const closed = () => fail(new Error("the server closed a connection"));
    const read = (bytes: Buffer) => {
      answer += bytes.toString("latin1");
      if (!isWhole(answer)) return;
      if (isGood.test(answer)) end(() => resolve(answer));
      else fail(new Error(`a request was answered with ${answer}`));
    };
    if (socket.destroyed) return closed();
    socket.on("data", read).on("error", fail).on("close", closed);
    socket.write(request, "latin1");
  });
}
