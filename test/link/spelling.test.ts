/** Links as people type them and programs pass them on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { code, startScans, storeWith } from "../fakes/scan-server.ts";
import { startServer } from "../support/server.ts";

const slug = "qr-ec2p3a8xhg";

test("letters of any case and one slash at the end lead to the same link, and count", async () => {
  const server = await startScans({ store: await storeWith(code(1, { slug })) });
  const spellings = [`/${slug}`, `/${slug}/`, "/QR-EC2P3A8XHG", "/Qr-eC2p3A8xHg/", "/QR-EC2P3A8XHG/?utm=x"];
  for (const [at, path] of spellings.entries()) {
    const head = await server.get(path, {}, "HEAD");
    assert.equal(head.status, 302, `HEAD ${path}`);
    assert.equal(head.headers.location, "https://example.com/1", `HEAD ${path}`);
    const answer = await server.get(path);
    assert.equal(answer.status, 302, path);
    assert.equal(answer.headers.location, "https://example.com/1", path);
    assert.equal(server.scans.links.scanCount(slug), at + 1, path);
  }
});

test("anything more than a slash is another address", async () => {
  const server = await startServer();
  const { slug: own, qr_id } = await server.api.createRendered();
  for (const path of [`/${own}//`, `//${own}`, `/${own}/x`, `/${own}x`, `/${own}%2f`]) {
    const answer = await server.api.get(path, 404);
    assert.equal(answer.body.code, "not_found", path);
  }
  assert.equal((await server.api.get(`/v1/qr-codes/${qr_id}`, 200)).body.scan_count, 0);
});

test("an unknown slug is unknown in every spelling", async () => {
  const server = await startScans({ store: await storeWith() });
  for (const path of ["/qr-aaaaaaaaaa", "/QR-AAAAAAAAAA", "/qr-aaaaaaaaaa/"]) {
    const answer = await server.get(path);
    assert.equal(answer.status, 404);
    assert.equal(JSON.parse(answer.body).code, "qr_not_found", path);
  }
});
