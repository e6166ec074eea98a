/** Requests as they are written, over connections that are kept: nothing is normalised, nothing followed. */
import { Agent, request } from "node:http";

export interface Sent {
  method: string;
  /** Exactly what stands in the request line. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface Received {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

export interface Connections {
  send(sent: Sent): Promise<Received>;
  close(): void;
}

export function keepAlive(url: string, connections: number, timeoutMs = 15_000): Connections {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
        const options = { agent, hostname, port, method, path, timeout: timeoutMs };
        const sending = request({ ...options, headers: { ...headers, ...length } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers as Record<string, string | undefined>,
              body: Buffer.concat(chunks),
            }),
          );
        });
        sending.on("timeout", () => sending.destroy(new Error(`no answer in ${timeoutMs} ms`)));
        sending.on("error", reject);
        sending.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

/** The request as one line for a shell. */
export function curlLine(url: string, { method, path, headers, body }: Sent): string {
  const parts = ["curl -isS --path-as-is -g", method === "HEAD" ? "-I" : `-X ${method}`, quoted(url + path)];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-binary ${quoted(body)}`);
  return parts.join(" ");
}

function quoted(text: string | Buffer): string {
  const bytes = Buffer.from(text);
  if (/^[\x20-\x26\x28-\x7e]*$/.test(bytes.toString("latin1"))) return `'${bytes}'`;
  const escaped = [...bytes].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `$'${escaped.join("")}'`;
}
