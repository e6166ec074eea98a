import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import type { CodeDoc } from "../../src/domain/documents.ts";
import { errors } from "../../src/domain/errors.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { putProject, sampleProject, savedCount } from "../fakes/sample-documents.ts";
import { code, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";

const longUrl = `https://example.com/${"long/".repeat(100)}`;
const past = 1_000;

/** Sends bytes as they are and returns all that comes back until the connection closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

test("a scan is answered with the destination, and counts", async () => {
  const store = await storeWith(
    code(1),
    code(2, { redirect_url: longUrl }),
    code(3, { type: "text", text: "grüezi", redirect_url: "" }),
  );
  const server = await startScans({ store });
  for (const [n, location] of [
    [1, "https://example.com/1"],
    [2, longUrl],
  ] as const) {
    const answer = await server.get(`/${testSlug(n)}?utm=x`);
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.location, location);
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.equal(answer.headers["x-robots-tag"], "noindex");
    assert.equal(answer.headers["set-cookie"], undefined);
    assert.equal(answer.body, "");
    assert.equal(server.scans.links.scanCount(testSlug(n)), 1);
  }
  const text = await server.get(`/${testSlug(3)}`);
  assert.equal(text.status, 200);
  assert.equal(text.headers["content-type"], "text/plain; charset=utf-8");
  assert.equal(text.headers["x-content-type-options"], "nosniff");
  assert.equal(text.body, "grüezi");
  assert.equal(server.scans.links.scanCount(testSlug(3)), 1);
});

test("HEAD and prefetch get the same headers and do not count", async () => {
  const store = await storeWith(code(1), code(2, { type: "text", text: "grüezi", redirect_url: "" }));
  const server = await startScans({ store });
  const own = ({ date: _, connection: __, ...rest }: object & { date?: unknown; connection?: unknown }) =>
    rest;
  for (const warm of [false, true]) {
    for (const n of [1, 2]) {
      const path = `/${testSlug(n)}`;
      const head = await server.get(path, {}, "HEAD");
      const prefetches = await Promise.all([
        server.get(path, { "Sec-Purpose": "prefetch" }),
        server.get(path, { "Sec-Purpose": "prefetch;prerender" }),
        server.get(path, { Purpose: "Prefetch" }),
      ]);
      const before = await server.scans.links.scanCount(testSlug(n));
      assert.equal(before, warm ? 1 : 0);
      const get = await server.get(path, { Purpose: "else" });
      assert.equal(server.scans.links.scanCount(testSlug(n)), before + 1);
      assert.equal(head.body, "");
      assert.equal(head.status, get.status);
      assert.deepEqual(own(head.headers), own(get.headers));
      for (const prefetch of prefetches) {
        assert.equal(prefetch.status, get.status);
        assert.deepEqual(own(prefetch.headers), own(get.headers));
        assert.equal(prefetch.body, get.body);
      }
    }
  }
});

test("checks are made in their order, whatever else is wrong", async () => {
  const rule = { condition: "device", value: "desktop", url: "https://example.com/desktop" } as const;
  const ruled = { redirect_rules: [rule], scan_limit: 1, expires_at: past };
  const archivedProject = { project_id: "prj_off" };
  const cases: [Partial<CodeDoc>, number, string][] = [
    [{ ...ruled, ...archivedProject, status: "blocked" }, 403, "qr_blocked"],
    [{ ...ruled, ...archivedProject, status: "archived" }, 404, "qr_not_found"],
    [{ ...ruled, ...archivedProject }, 404, "qr_not_found"],
    [{ ...archivedProject }, 404, "qr_not_found"],
    [{ ...ruled }, 410, "qr_expired"],
    [{ redirect_rules: [rule], scan_limit: 1 }, 410, "qr_scan_limit_reached"],
    [{ redirect_rules: [rule], scan_limit: 2 }, 302, "https://example.com/desktop"],
    [{ scan_limit: 2 }, 302, "https://example.com/8"],
  ];
  const store = await storeWith(...cases.map(([changes], at) => code(at + 1, changes)));
  await store.commit([putProject(sampleProject({ id: "prj_off", is_archived: true }))]);
  await store.saveScans(cases.map((_, at) => savedCount(testSlug(at + 1), 1)));
  const server = await startScans({ store });
  for (const [at, [, status, expected]] of cases.entries()) {
    const cold = await server.get(`/${testSlug(at + 1)}`, {}, "HEAD");
    assert.equal(cold.status, status);
    const answer = await server.get(`/${testSlug(at + 1)}`);
    assert.equal(answer.status, status, expected);
    if (status === 302) assert.equal(answer.headers.location, expected);
    else assert.equal(JSON.parse(answer.body).code, expected);
    const counted = status === 302 ? 2 : 1;
    assert.equal(await server.scans.links.scanCount(testSlug(at + 1)), counted);
  }
});

test("a code expires at its time and not before", async () => {
  const clock = new ManualClock();
  const store = await storeWith(code(1, { expires_at: clock.now() + 1_000 }));
  const server = await startScans({ store, clock });
  clock.advance(999);
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 302);
  clock.advance(1);
  assert.equal((await server.get(`/${testSlug(1)}`)).status, 410);
});

test("refusals are a page for browsers and the envelope for others", async () => {
  const store = await storeWith(
    code(1, { status: "blocked" }),
    code(2, { expires_at: past }),
    code(3, { status: "archived" }),
  );
  const server = await startScans({ store });
  const cases = [
    [`/${testSlug(1)}`, "qr_blocked"],
    [`/${testSlug(2)}`, "qr_expired"],
    [`/${testSlug(3)}`, "qr_not_found"],
    [`/${testSlug(4)}`, "qr_not_found"],
    ["/nothing-like-a-slug", "not_found"],
    ["/qr-uppercase0", "not_found"],
  ] as const;
  for (const [path, expected] of cases) {
    const { status, message } = errors[expected];
    for (const repeat of [1, 2]) {
      const page = await server.get(path, { Accept: "text/html,application/xhtml+xml;q=0.9" });
      assert.equal(page.status, status, `${path} ${repeat}`);
      assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
      assert.match(page.body, /^<!doctype html><html lang="en">/);
      assert.match(
        page.headers["content-security-policy"] as string,
        /^default-src 'none'; style-src 'sha256-/,
      );
      assert.equal(page.headers.vary, "Accept");
      assert.doesNotMatch(page.body, /(src|href|url\()=?["']?https?:/, "no outside host");
    }
    const envelope = await server.get(path, { Accept: "application/json" });
    assert.equal(envelope.status, status);
    const body = JSON.parse(envelope.body);
    assert.deepEqual(
      { ...body, request_id: null },
      {
        ok: false,
        version: "2025-11-14-v1",
        request_id: null,
        code: expected,
        message,
      },
    );
    assert.match(body.request_id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    assert.equal(envelope.headers["x-request-id"], body.request_id);
    assert.equal(envelope.headers["cache-control"], "no-store");
    const head = await server.get(path, {}, "HEAD");
    assert.equal(head.status, status);
    assert.equal(head.headers["content-length"], String(Buffer.byteLength(envelope.body)));
  }
});

test("robots.txt and favicon.ico answer and are not slugs", async () => {
  const server = await startScans({ store: await storeWith() });
  const robots = await server.get("/robots.txt");
  assert.equal(robots.status, 200);
  assert.equal(robots.body, "User-agent: *\nDisallow: /\n");
  assert.equal(
    (await server.get("/robots.txt", {}, "HEAD")).headers["content-length"],
    String(robots.body.length),
  );
  assert.equal((await server.get("/favicon.ico")).status, 204);
  assert.equal((await server.get("/favicon.ico", {}, "HEAD")).status, 204);
});

test("a request with Transfer-Encoding is refused, its connection closed, and nothing is counted", async () => {
  const server = await startScans({ store: await storeWith(code(1)) });
  await server.get(`/${testSlug(1)}`);
  for (const encoding of ["chunked", "identity", "gzip, chunked"]) {
    const answer = await raw(
      server.port,
      `GET /${testSlug(1)} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${encoding}\r\n\r\n0\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.equal(answer.match(/HTTP\/1\.1/g)!.length, 1);
  }
  assert.equal(server.scans.links.scanCount(testSlug(1)), 1);
});

test("a client that goes before its answer harms nobody", async () => {
  const server = await startScans({ store: await storeWith(code(1)) });
  await server.get(`/${testSlug(1)}`);
  const gone = Array.from({ length: 50 }, () => {
    return new Promise<void>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(`GET /${testSlug(1)} HTTP/1.1\r\nHost: x\r\n\r\n`);
        socket.resetAndDestroy();
        resolve();
      });
    });
  });
  const stayed = Array.from({ length: 50 }, () => server.get(`/${testSlug(1)}`));
  await Promise.all(gone);
  for (const answer of await Promise.all(stayed)) assert.equal(answer.status, 302);
  const counted = await server.scans.links.scanCount(testSlug(1));
  assert.ok(counted >= 51 && counted <= 101, `${counted}`);
});

test("while draining every answer ends its connection", async () => {
  const server = await startScans({ store: await storeWith(code(1)) });
  await server.get(`/${testSlug(1)}`);
  await server.routes.drain();
  for (const path of [`/${testSlug(1)}`, `/${testSlug(2)}`, "/no", "/robots.txt", "/favicon.ico"]) {
    const answer = await raw(server.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(answer, /\r\nConnection: close\r\n/, path);
  }
});
