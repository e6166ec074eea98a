/** Requests on kept connections. None is ever repeated behind the caller's back: what was sent has to be known. */
import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Request {
  method: "GET" | "HEAD" | "POST" | "PATCH";
  path: string;
  headers?: Record<string, string>;
  json?: object;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The connection broke before the answer was complete. */
export interface Lost {
  status: null;
  cause: string;
}

export interface Wire {
  send(request: Request): Promise<Answer | Lost>;
  close(): void;
}

const sockets = 64;
/** Below the time after which the service closes an idle connection, so that nothing is sent into a closing one. */
const idleMsMax = 4_000;
const answerMsMax = 20_000;

export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, timeout: idleMsMax });

  function send({ method, path, headers, json }: Request): Promise<Answer | Lost> {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const bodyHeaders = body !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    return new Promise((resolve) => {
      const lost = (cause: Error) => {
        clearTimeout(late);
        resolve({ status: null, cause: cause.message });
      };
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...bodyHeaders } };
      const sent = request(options, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", lost);
        response.on("end", () => {
          clearTimeout(late);
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) });
        });
      });
      const late = setTimeout(() => sent.destroy(new Error(`no answer in ${answerMsMax} ms`)), answerMsMax);
      sent.on("error", lost);
      sent.end(body);
    });
  }

  return { send, close: () => agent.destroy() };
}
