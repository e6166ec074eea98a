/** A look-up service on a local socket that answers as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { endsWithTest } from "../support/endings.ts";

export interface RiskServer {
  url: string;
  /** The URLs that were asked for, in order. */
  asked: string[];
  /** The last request's headers. */
  headers: IncomingMessage["headers"];
  /** The last request's types of threat. */
  threatTypes: string[];
  /** How many look-ups ran at the same time at most. */
  atOnce: number;
  answer: (uri: string, response: ServerResponse) => void;
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export const threat = (expireTime: string) => ({ threat: { threatTypes: ["MALWARE"], expireTime } });

export async function startRiskServer(): Promise<RiskServer> {
  let running = 0;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, "http://local");
    const uri = searchParams.get("uri")!;
    risk.asked.push(uri);
    risk.headers = request.headers;
    risk.threatTypes = searchParams.getAll("threatTypes");
    running++;
    risk.atOnce = Math.max(risk.atOnce, running);
    response.on("close", () => running--);
    risk.answer(uri, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const risk: RiskServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/uris:search`,
    asked: [],
    headers: {},
    threatTypes: [],
    atOnce: 0,
    answer: (_, response) => answerJson(response, {}),
  };
  endsWithTest(() => {
    server.close();
    server.closeAllConnections();
  });
  return risk;
}
