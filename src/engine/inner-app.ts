/**
 * An app that no socket leads to: requests that another process took are handed to it, and their answers handed back.
 *
 * What serves is the same as on any engine, by the same rules (`engine.ts`): nobody who answers has to know that the
 * client is elsewhere. Calling handlers past the engine would leave out all that stands in front of them.
 */
import { PassingMap } from "../runtime/passing-map.ts";
import type { HttpApp, Text } from "./engine.ts";
import { NodeRequest } from "./node/request.ts";
import { NodeResponse } from "./node/response.ts";
import { RoutedApp } from "./node/router.ts";

export interface InnerRequest {
  method: string;
  path: string;
  query: string;
  /** Every line; values as text, decoded. */
  headers: readonly (readonly [name: string, value: string])[];
  peer: string;
}

export interface InnerAnswer {
  status: number;
  /** The status and the headers, without those that are the connection's own. */
  head: string;
  /** Of the body, which an answer to HEAD does not carry. */
  length: number;
  body: Uint8Array;
}

/** Whoever handed a request in, and may give it up. */
export interface Asker {
  /** What is handed in is called when the client has gone. */
  onUnwanted(run: () => void): void;
  /** Nothing may be decided for the request when it is false. */
  isWaitedFor(): boolean;
}

/** The answer to a request that another process took. */
class HandedOn extends NodeResponse {
  readonly isWaitedFor: () => boolean;

  constructor(asker: Asker, ...given: ConstructorParameters<typeof NodeResponse>) {
    super(...given);
    this.isWaitedFor = () => asker.isWaitedFor();
  }
}

export class InnerApp extends RoutedApp implements HttpApp {
  /** By the number of their request. */
  readonly #open = new PassingMap<number, NodeResponse>();
  #asks = 0;

  /** Nobody is connected. */
  filter(): void {}

  /** Whoever waits for an answer gets none. */
  close(): void {
    for (const response of this.#open.values()) response.abort();
  }

  /** Null when the answer was given up. */
  ask(request: InnerRequest, body: Uint8Array, asker: Asker): Promise<InnerAnswer | null> {
    const { method, path, query, headers, peer } = request;
    const found = this.router.find(method, path);
    if (found === null) return Promise.resolve(null);
    const asked = new NodeRequest(method, query === "" ? path : `${path}?${query}`, headers.flatMap(sent));
    asked.params = found.params;
    const number = this.#asks++;
    return new Promise((resolve) => {
      const over = (answer: InnerAnswer | null) => {
        this.#open.delete(number);
        resolve(answer);
      };
      const giveUp = () => {
        response.abort();
        over(null);
      };
      const response: NodeResponse = new HandedOn(
        asker,
        {
          peer,
          send(head, content) {
            over(answerOf(head, content));
            return true;
          },
          sendHead: (head) => over(answerOf(head, "")),
          cut: giveUp,
        },
        method === "HEAD",
      );
      this.#open.set(number, response);
      asker.onUnwanted(giveUp);
      found.handler(response, asked);
      if (body.length > 0) response.data(body, true);
    });
  }
}

/** As a parser gives it: each byte of a value is a character. */
function sent([name, value]: readonly [string, string]): [string, string] {
  return [name, Buffer.from(value).toString("latin1")];
}

const ownLine = /^(?:content-length|connection):\s*(.*)$/i;

function answerOf(head: string, content: Text): InnerAnswer {
  const body = typeof content === "string" ? Buffer.from(content) : Uint8Array.from(content);
  const lines = head.split("\r\n").filter((line) => line !== "");
  const said = lines.find((line) => line.toLowerCase().startsWith("content-length"));
  return {
    status: Number.parseInt(lines[0]!, 10),
    head: lines.filter((line) => !ownLine.test(line)).join("\r\n"),
    length: said === undefined ? body.length : Number(ownLine.exec(said)![1]),
    body,
  };
}
