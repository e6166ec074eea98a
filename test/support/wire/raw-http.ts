/** HTTP as bytes on a socket, for messages that no well-behaved client would send. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface RawConnection {
  socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received when the server has closed the connection; fails when it does not. */
  closed(withinMs?: number): Promise<string>;
  /** Resolves with everything received when it contains the text. */
  until(text: string, withinMs?: number): Promise<string>;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  let isClosed = false;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  // A reset after the answer is a way to close, too.
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  const waitFor = async (what: string, isThere: () => boolean, withinMs: number): Promise<string> => {
    for (const deadline = Date.now() + withinMs; !isThere(); await sleep(5)) {
      if (Date.now() > deadline) {
        socket.destroy();
        throw new Error(`${what} did not happen in ${withinMs} ms; received: ${text}`);
      }
    }
    return text;
  };
  return {
    socket,
    received: () => text,
    closed: (withinMs = 3_000) => waitFor("the close", () => isClosed, withinMs),
    until: (part, withinMs = 3_000) => waitFor(`"${part}"`, () => text.includes(part), withinMs),
  };
}

/** The text of a request; the header lines are taken as they are. */
export function rawRequest(method: string, path: string, headerLines: readonly string[], body = ""): string {
  return [`${method} ${path} HTTP/1.1`, "Host: test", ...headerLines, "", body].join("\r\n");
}

export function countAnswers(received: string): number {
  return received.split("HTTP/1.1 ").length - 1;
}
