/** What a process answers while another one owns the database. */

import { randomUUID } from "node:crypto";
import { unavailable } from "../domain/errors.ts";
import type { Engine } from "../engine/engine.ts";
import type { Reply } from "../http/exchange.ts";
import { refuseMalformed } from "../http/malformed.ts";
import { refusal, success } from "../http/reply.ts";
import { noSniff, noStore } from "../http/standing-headers.ts";

export interface Standby {
  port: number;
  close(): void;
}

/** Alive, and not ready: whoever spreads the load sends everything to the owner. */
export async function listenStandby(engine: Engine, host: string, port: number): Promise<Standby> {
  const app = engine.createApp(refuseMalformed);
  app.any("/*", (res, req) => {
    const requestId = randomUUID();
    const reply: Reply =
      req.getUrl() === "/healthz"
        ? success(requestId, { status: "alive" })
        : refusal(requestId, unavailable("Standby: another process owns the database."));
    res.writeStatus(`${reply.status} ${reply.status === 200 ? "OK" : "Service Unavailable"}`);
    res.writeHeader("x-request-id", requestId);
    for (const [name, value] of [noSniff, noStore, ...reply.headers]) res.writeHeader(name, value);
    if (req.getMethod() !== "head") return void res.end(reply.body, true);
    // With the length as an argument the library would wait for a body that never comes.
    res.writeHeader("content-length", String(Buffer.byteLength(reply.body)));
    res.writeHeader("connection", "close").endWithoutBody();
  });
  const listening = await engine.listen(app, host, port);
  return { port: listening.port, close: () => app.close() };
}
