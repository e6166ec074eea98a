import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import type { Call } from "../../src/door/route.ts";
import { listen, type ServerOptions } from "../../src/door/server.ts";
import { success } from "../../src/http/reply.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { noTrustedProxies } from "../../src/visitor/client-address.ts";
import { testEngine } from "../support/engine.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

test("what comes over an open connection while the scans before it end is answered, though the door was empty before", async () => {
  const moments = new EventEmitter();
  const scansEnd = once(moments, "scans end");
  const asked = once(moments, "asked");
  const worked = once(moments, "worked");
  let scansWait = true;
  const here = {} as NonNullable<ReturnType<ServerOptions<object>["here"]>>;
  const server = await listen<object>({
    ...{
      engine: testEngine,
      host: "127.0.0.1",
      port: 0,
      linkMethods: ["GET"],
      accessLog: null,
      elsewhere: null,
    },
    parts: {
      ...{ trustedProxies: noTrustedProxies, clock: systemClock, log: { error: assert.fail } },
      ...{ metrics: { route: () => () => {} }, metricsAccess: "off" },
    },
    here: () => here,
    routes: [
      {
        ...{ method: "GET", path: "/work", access: "anyone" },
        async handler({ exchange }: Call) {
          moments.emit("asked");
          await worked;
          return success(exchange.requestId, { done: true });
        },
      },
    ],
    registerLinks: () => ({
      get isEmpty() {
        return !scansWait;
      },
      drain: () => scansEnd.then(() => {}),
    }),
  });
  const connection = await openRaw(`http://127.0.0.1:${server.port}`);
  connection.socket.write(rawRequest("GET", "/unknown", []));
  await connection.until("404");

  let isClosed = false;
  const closed = server.close(10_000).then(() => {
    isClosed = true;
  });
  connection.socket.write(rawRequest("GET", "/work", []));
  await asked;
  scansWait = false;
  moments.emit("scans end");
  await new Promise(setImmediate);
  assert.equal(isClosed, false);
  moments.emit("worked");
  assert.match(await connection.closed(), /"done":true/);
  await closed;
});
