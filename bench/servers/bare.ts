/**
 * The reference: uWebSockets.js with constant answers. Links get a constant 302; calls of the API get the
 * bytes of the file named by `BENCH_ANSWER` once their body has arrived.
 */

import { readFileSync } from "node:fs";
import { loadUws } from "../../src/engine/uws/library.ts";

const { App, us_socket_local_port } = loadUws();
const target = "https://shop.example.com/00000";
const answer = process.env.BENCH_ANSWER === undefined ? "" : readFileSync(process.env.BENCH_ANSWER);

const app = App();
app.get("/:slug", (res) => {
  res.writeStatus("302 Found").writeHeader("Location", target).end();
});
app.get("/v1/*", (res) => {
  res.writeHeader("Content-Type", "application/json").end(answer);
});
app.post("/v1/*", (res) => {
  res.onAborted(() => {});
  res.onData((_, isLast) => {
    if (!isLast) return;
    res.cork(() => {
      res.writeStatus("201 Created").writeHeader("Content-Type", "application/json").end(answer);
    });
  });
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("cannot listen");
  console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`);
});
