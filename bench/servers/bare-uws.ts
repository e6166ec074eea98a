/**
 * The reference of the uws engine: uWebSockets.js with constant answers, to a body once it has arrived.
 *
 * With BENCH_LATE it looks at every header and answers all scans of a turn at its end, and does nothing else: more than
 * that cannot be left of the bare server's speed by who writes scans down, once a turn, before they are answered.
 */
import type { HttpRequest, HttpResponse } from "../../src/engine/engine.ts";
import { loadUws } from "../../src/engine/uws/library.ts";
import { answer, statusLine, target } from "./constant.ts";

const { App, us_socket_local_port } = loadUws();
const app = App();
const redirect = (res: HttpResponse) => {
  res.writeStatus("302 Found").writeHeader("Location", target).end();
};
app.get("/:slug", process.env.BENCH_LATE === undefined ? redirect : late());
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

function late(): (res: HttpResponse, req: HttpRequest) => void {
  const waiting: HttpResponse[] = [];
  const nothing = () => {};
  const answerAll = () => {
    for (const res of waiting) res.cork(() => redirect(res));
    waiting.length = 0;
  };
  return (res, req) => {
    req.forEach(nothing);
    req.getParameter(0);
    res.onAborted(nothing);
    if (waiting.push(res) === 1) setImmediate(answerAll);
  };
}
