/**
 * Creates so many codes a second, evenly, whatever the answers take: a slow server does not slow it down.
 *
 * What is sent was put together before and goes over bare sockets, and of an answer is kept no more than its end needs. A
 * client of `node:http` took enough of the core that it shares with the scans' clients to double their p99 by itself.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { apiRequest, creation, rawRequest } from "./requests.ts";
import { isWhole } from "./whole-answer.ts";

export interface PacedCreation {
  /** Ends it and waits for the answers that are due. */
  stop(): Promise<{ perSecond: number; lastId: string }>;
}

const stepMs = 10;
const clients = 32;

export async function pacedCreation(url: string, key: string, perSecond: number): Promise<PacedCreation> {
  const { hostname, port, host } = new URL(url);
  const text = Buffer.from(rawRequest(apiRequest(key, "/v1/qr-codes", creation), host), "latin1");
  const free = await Promise.all(Array.from({ length: clients }, () => connected(hostname, Number(port))));
  const sockets = [...free];
  let sent = 0;
  let lastAnswer = "";
  let failure: Error | null = null;
  let allAnswered = () => {};
  const fail = (why: string) => {
    failure ??= new Error(`creating beside other work: ${why}`);
    allAnswered();
  };
  for (const socket of sockets) {
    let answer = "";
    socket.on("data", (bytes: Buffer) => {
      answer += bytes.toString("latin1");
      if (!isWhole(answer)) return;
      if (answer.startsWith("HTTP/1.1 201")) lastAnswer = answer;
      else fail(answer);
      answer = "";
      free.push(socket);
      if (free.length === clients) allAnswered();
    });
    socket.on("error", ({ message }) => fail(message));
    socket.on("close", () => fail("the server closed a connection"));
  }
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    while (sent < due && free.length > 0) {
      // The one that waited longest: the server closes a connection on which nothing comes.
      free.shift()!.write(text);
      sent++;
    }
  }, stepMs);
  return {
    async stop() {
      clearInterval(timer);
      const seconds = (performance.now() - began) / 1_000;
      if (free.length < clients && failure === null) {
        await new Promise<void>((resolve) => {
          allAnswered = resolve;
        });
      }
      for (const socket of sockets) socket.destroy();
      if (failure !== null) throw failure;
      return { perSecond: sent / seconds, lastId: idOf(lastAnswer) };
    },
  };
}

async function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, "connect");
  return socket;
}

function idOf(answer: string): string {
  const { qr_id } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { qr_id: string };
  return qr_id;
}
