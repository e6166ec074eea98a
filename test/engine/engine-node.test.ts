/**
 * What the node engine does and uWebSockets.js does not: HTTP/1.0, pipelined scans behind held answers, the envelope
 * for what is no request. On Node's own parser and on the documented interface alike.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionFilter, Engine, HttpResponse } from "../../src/engine/engine.ts";
import { nodeEngine } from "../../src/engine/node/engine.ts";
import { openParsers } from "../../src/engine/node/wire/parser.ts";
import { refuseMalformed } from "../../src/http/reply.ts";
import { parseAnswers } from "../support/hostile/hostile.ts";
import { openRaw, type RawConnection, rawRequest } from "../support/wire/raw-http.ts";

const kinds: Record<string, Engine> = {
  "on Node's parser": nodeEngine(openParsers()),
  "on the documented interface": nodeEngine(null),
};

test("Node's parser is what the engine knows", () => {
  assert.notEqual(openParsers(), null);
});

for (const [kind, engine] of Object.entries(kinds)) {
  test(kind, async (t) => {
    const app = engine.createApp(refuseMalformed);
    const held: HttpResponse[] = [];
    const bodies: string[] = [];
    let connections = 0;
    const count: ConnectionFilter = (_, change) => {
      connections += Number(change);
    };
    app.filter(count);
    app.get("/held/:n", (res, req) => {
      const n = req.getParameter(0)!;
      res.onAborted(() => {});
      setImmediate(() => res.cork(() => res.writeStatus(`302 Found\r\nLocation: /${n}`).end()));
    });
    app.get("/kept", (res) => {
      res.onAborted(() => {});
      held.push(res);
    });
    app.get("/lines", (res, req) => {
      const lines: string[] = [];
      req.forEach((name, value) => void lines.push(`${name}=${value}`));
      res.end(`${req.getHeader("x-twice")} ${lines.filter((line) => line.startsWith("x-")).join()}`);
    });
    app.post("/body", (res) => {
      res.onAborted(() => {});
      let text = "";
      res.onData((part, isLast) => {
        text += Buffer.from(part).toString();
        if (!isLast) return;
        bodies.push(text);
        res.cork(() => res.end(`${text.length}`));
      });
    });
    app.any("/*", (res, req) => {
      res.end(req.getUrl() + (req.getQuery() && `?${req.getQuery()}`));
    });
    const listening = await engine.listen(app, "127.0.0.1", 0);
    const url = `http://127.0.0.1:${listening.port}`;
    after(() => {
      listening.close();
      app.close();
    });
    const sent = async (text: string): Promise<RawConnection> => {
      const connection = await openRaw(url);
      connection.socket.write(Buffer.from(text, "latin1"));
      return connection;
    };
    const bodyOf = (received: string) => received.slice(received.indexOf("\r\n\r\n") + 4);

    await t.test(
      "a client of HTTP/1.0 is served, and its connection closed unless it asks otherwise",
      async () => {
        const plain = await sent("GET /old HTTP/1.0\r\n\r\n");
        assert.equal(bodyOf(await plain.closed()), "/old");
        assert.match(plain.received(), /^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n/is);
        const kept = await sent("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        assert.match(await kept.until("/old"), /\r\nConnection: keep-alive\r\n/i);
        kept.socket.write("GET /again HTTP/1.0\r\n\r\n");
        assert.match(await kept.closed(), /\/again$/);
      },
    );

    await t.test("requests behind held answers are answered in order, none is lost", async () => {
      const count = 300;
      const paths = Array.from({ length: count }, (_, n) => (n % 3 === 2 ? `/now/${n}` : `/held/${n}`));
      const requests = paths.map((path, n) =>
        rawRequest("GET", path, n === count - 1 ? ["Connection: close"] : []),
      );
      const answers = parseAnswers(await (await sent(requests.join(""))).closed());
      const told = answers.map(
        ({ body, headers }) => headers.find(([name]) => name === "location")?.[1] ?? body,
      );
      assert.deepEqual(
        told,
        paths.map((path) => path.replace("/held", "")),
      );
    });

    await t.test("what is no request gets the envelope, behind the answers that are due", async () => {
      const connection = await sent(`${rawRequest("GET", "/held/1", [])}NO SUCH\r\n\r\n`);
      const [first, second, ...others] = parseAnswers(await connection.closed());
      assert.equal(others.length, 0);
      assert.equal(first?.status, 302);
      assert.equal(second?.status, 400);
      const { code, request_id } = JSON.parse(second!.body);
      assert.equal(code, "invalid_payload");
      assert.deepEqual(
        second!.headers.filter(([name]) => name === "x-request-id"),
        [["x-request-id", request_id]],
      );
      const long = await sent(rawRequest("GET", "/", [`x: ${"x".repeat(20_000)}`]));
      assert.match(await long.closed(), /^HTTP\/1\.1 431 .*"headers_too_large"/s);
    });

    await t.test("a HEAD that is none gets no body, a connection that merely ends nothing", async () => {
      const head = await sent("HEAD / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n");
      assert.match(await head.closed(), /^HTTP\/1\.1 400 .*\r\n\r\n$/s);
      for (const part of ["", "GET / HT", "GET / HTTP/1.1\r\nHost"]) {
        const connection = await openRaw(url);
        connection.socket.end(part);
        assert.equal(await connection.closed(), "", JSON.stringify(part));
      }
    });

    await t.test(
      "targets that are no paths, two hosts, an empty encoding and too many headers are refused",
      async () => {
        const refused: [string, number][] = [
          ["GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400],
          ["OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400],
          ["GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400],
          ["GET / HTTP/1.1\r\n\r\n", 400],
          ["POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n", 400],
          ["GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400],
          ["GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400],
          [`GET / HTTP/1.1\r\nHost: a\r\n${"x: y\r\n".repeat(100)}\r\n`, 431],
        ];
        for (const [text, status] of refused) {
          const received = await (await sent(text + rawRequest("GET", "/hidden", []))).closed();
          const answers = parseAnswers(received);
          assert.deepEqual([answers.length, answers[0]?.status], [1, status], text);
        }
      },
    );

    await t.test("all lines of a header are there, in order, and the first one is its value", async () => {
      const connection = await sent(
        rawRequest("GET", "/lines", ["X-Twice: 1", "X-A: \xc3\xa9", "x-twice:  2 ", "Connection: close"]),
      );
      const body = Buffer.from(bodyOf(await connection.closed()), "latin1").toString();
      assert.equal(body, "1 x-twice=1,x-a=é,x-twice=2");
    });

    await t.test(
      "bodies with a length and in chunks arrive whole; a client that waits is told to go on",
      async () => {
        const withLength = rawRequest("POST", "/body", ["Content-Length: 3"], "abc");
        const inChunks = rawRequest(
          "POST",
          "/body",
          ["Transfer-Encoding: chunked"],
          "2\r\nde\r\n1\r\nf\r\n0\r\n\r\n",
        );
        const connection = await sent(
          withLength + inChunks + rawRequest("GET", "/end", ["Connection: close"]),
        );
        const answers = parseAnswers(await connection.closed());
        assert.deepEqual(
          answers.map(({ body }) => body),
          ["3", "3", "/end"],
        );
        const waiting = await sent(
          rawRequest("POST", "/body", ["Content-Length: 2", "Expect: 100-continue"]),
        );
        await waiting.until("HTTP/1.1 100 Continue\r\n\r\n");
        waiting.socket.write("gh");
        await waiting.until("HTTP/1.1 200 OK");
        waiting.socket.destroy();
        assert.deepEqual(bodies.splice(0), ["abc", "def", "gh"]);
      },
    );

    await t.test("a body that turns out to be none is refused, and its request ends", async () => {
      const spoilt = await sent(
        rawRequest("POST", "/body", ["Transfer-Encoding: chunked"], "2\r\nde\r\nzz\r\n"),
      );
      assert.match(await spoilt.closed(), /^HTTP\/1\.1 400 /);
      assert.deepEqual(bodies.splice(0), []);
    });

    await t.test("a response is of no use when its client has gone or it is answered", async () => {
      const connection = await sent(rawRequest("GET", "/kept", []));
      while (held.length === 0) await sleep(1);
      const [gone] = held.splice(0);
      connection.socket.resetAndDestroy();
      while (connections > 0) await sleep(1);
      assert.throws(() => gone!.cork(() => {}));
      const other = await sent(rawRequest("GET", "/kept", ["Connection: close"]));
      while (held.length === 0) await sleep(1);
      const [answered] = held.splice(0);
      answered!.cork(() => answered!.end("done"));
      assert.throws(() => answered!.writeStatus("200 OK"));
      assert.equal(bodyOf(await other.closed()), "done");
    });
  });
}
