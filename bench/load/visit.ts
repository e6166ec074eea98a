/**
 * Scans every link once and checks every answer. It warms a server up before it is measured, which a load
 * generator cannot promise: it stops after a time, not after the last link.
 */
import { connect, type Socket } from "node:net";
import { Refused } from "./load.ts";
import { type LoadRequest, rawRequest } from "./requests.ts";
import { isWhole } from "./whole-answer.ts";

const connections = 64;
const found = "HTTP/1.1 302 ";

export async function visitAll(
  url: string,
  requests: readonly LoadRequest[],
  onVisit: (count: number) => void = () => {},
): Promise<void> {
  const { hostname, port, host } = new URL(url);
  let next = 0;
  const take = (): string | null => {
    const request = requests[next];
    if (request === undefined) return null;
    next++;
    onVisit(next);
    return rawRequest(request, host);
  };
  const open = () => connect({ host: hostname, port: Number(port), noDelay: true });
  await Promise.all(
    Array.from({ length: Math.min(connections, requests.length) }, () => visitInTurn(open, take)),
  );
}

const isLast = /\r\nconnection: close\r\n/i;

/** An answer is judged by how it begins. After one that ends its connection it goes on with another. */
function visitInTurn(open: () => Socket, take: () => string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open();
    let answer = "";
    let over = false;
    const send = () => {
      const request = take();
      if (request !== null) return void socket.write(request);
      over = true;
      socket.end();
      resolve();
    };
    socket.setEncoding("latin1");
    socket.on("connect", send);
    socket.on("data", (text: string) => {
      answer += text;
      if (answer.length >= found.length && !answer.startsWith(found)) {
        socket.destroy();
        return reject(new Refused(`a link was answered with ${answer.split("\r\n", 1)[0]}`));
      }
      if (!isWhole(answer)) return;
      const isOver = isLast.test(answer);
      answer = "";
      if (!isOver) return send();
      over = true;
      socket.destroy();
      visitInTurn(open, take).then(resolve, reject);
    });
    socket.on("error", reject);
    socket.on("close", () => over || reject(new Error("the server closed the connection")));
  });
}
