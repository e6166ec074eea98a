/** The reference of the uws engine: uWebSockets.js with constant answers, to a body once it has arrived. */
import type { HttpResponse } from "../../src/engine/engine.ts";
import { loadUws } from "../../src/engine/uws/library.ts";
import { answer, statusLine, target } from "./constant.ts";

const { App, us_socket_local_port } = loadUws();
const app = App();
app.get("/:slug", (res: HttpResponse) => {
  res.writeStatus("302 Found").writeHeader("Location", target).end();
});
app.get("/v1/*", (res) => {
  res.writeStatus(statusLine).writeHeader("Content-Type", "application/json").end(answer);
});
app.any("/v1/*", (res) => {
  res.onAborted(() => {});
  res.onData((_, isLast) => {
    if (!isLast) return;
    res.cork(() => {
      res.writeStatus(statusLine).writeHeader("Content-Type", "application/json").end(answer);
    });
  });
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("cannot listen");
  console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`);
});
