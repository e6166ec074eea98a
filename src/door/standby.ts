/** What a process answers while another one owns the database. */

import { unavailable } from "../domain/errors.ts";
import type { Engine } from "../engine/engine.ts";
import { headOf, type Reply, refusal, refuseMalformed, success } from "../http/reply.ts";
import { newRequestId } from "../http/request-id.ts";

export interface Standby {
  port: number;
  close(): void;
}

/** Alive, and not ready: whoever spreads the load sends everything to the owner. */
export async function listenStandby(engine: Engine, host: string, port: number): Promise<Standby> {
  const app = engine.createApp(refuseMalformed);
  app.any("/*", (res, req) => {
    const requestId = newRequestId();
    const path = req.getUrl();
    const reply: Reply =
      path === "/healthz"
        ? success(requestId, { status: "alive" })
        : refusal(requestId, unavailable("Standby: another process owns the database."));
    res.writeStatus(headOf(reply, requestId, path));
    if (req.getMethod() !== "head") return void res.end(reply.body, true);
    // With the length as an argument the library would wait for a body that never comes.
    res.writeHeader("content-length", String(Buffer.byteLength(reply.body)));
    res.writeHeader("connection", "close").endWithoutBody();
  });
  const listening = await engine.listen(app, host, port);
  return { port: listening.port, close: () => app.close() };
}
