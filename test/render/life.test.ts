import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { keepRendererBusy } from "../support/busy-renderer.ts";
import { assertRefused, Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";
import { startServer } from "../support/server.ts";

const server = await startServer();
const { api } = server;

const pathOf = (fileUrl: string) => new URL(fileUrl).pathname;

test("pending → done within seconds: slug, files, destination and time are filled in", async () => {
  const created = await api.createCode();
  assert.equal(created.render_status, "pending");
  const done = await api.rendered(created.qr_id);
  assert.match(done.slug, /^qr-[0-9a-z]{10}$/);
  assert.equal(done.destination_url, done.redirect_url);
  assert.deepEqual([done.render_attempt, done.render_error], [1, null]);
  assert.ok(done.last_rendered_at >= done.render_requested_at);
  assert.equal(done.updated_at, created.updated_at);
  const origin = `http://localhost:${new URL(server.url).port}`;
  for (const kind of ["svg", "png"]) {
    const address = new RegExp(`^${origin}/files/${done.qr_id}/[0-9a-f]+\\.${kind}$`);
    assert.match(done[`file_url_${kind}`], address);
  }
});

test("the files are served with their type, for good, and only again when they are not known", async () => {
  const code = await api.createRendered();
  for (const [kind, type, start] of [
    ["svg", "image/svg+xml", "<svg "],
    ["png", "image/png", "PNG"],
  ] as const) {
    const path = pathOf(code[`file_url_${kind}`]);
    const file = await api.get(path, 200);
    const etag = file.headers.get("etag")!;
    assert.equal(file.headers.get("content-type"), type);
    assert.equal(file.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(file.headers.get("x-content-type-options"), "nosniff");
    assert.match(etag, /^"[0-9a-f]+"$/);
    assert.ok(file.text.slice(0, 8).includes(start));

    const head = await api.call("HEAD", path, { status: 200 });
    assert.equal(head.text, "");
    for (const name of ["content-type", "content-length", "etag", "cache-control"]) {
      assert.equal(head.headers.get(name), file.headers.get(name), name);
    }
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const unchanged = await api.get(path, 304, { "if-none-match": known });
      assert.equal(unchanged.text, "");
      assert.equal(unchanged.headers.get("etag"), etag);
    }
    await api.get(path, 200, { "if-none-match": '"other"' });
  }
});

test("files need no key, and only those that exist are there", async () => {
  const code = await api.createRendered();
  const anyone = new Client(server.url);
  await anyone.get(pathOf(code.file_url_svg), 200);
  const folder = `/files/${code.qr_id}`;
  for (const path of [
    `${folder}/0.svg`,
    `${folder}/0.gif`,
    `${folder}/x`,
    "/files/qr_no/0.png",
    `${folder}/..%2f0.svg`,
  ]) {
    assertRefused(await anyone.get(path), 404, "not_found");
  }
});

test("without export_png there is no PNG", async () => {
  const code = await api.createRendered({ qr_render_metadata: { export_png: false } });
  assert.equal(code.file_url_png, null);
  await api.get(pathOf(code.file_url_svg), 200);
});

test("a code archived before it was drawn is idle; reactivated it is drawn", async () => {
  await keepRendererBusy(api);
  const { qr_id } = await api.createCode();
  const { body } = await api.patch(`/v1/qr-codes/${qr_id}`, { status: "archived" }, 200);
  assert.deepEqual([body.render_status, body.slug, body.file_url_svg], ["idle", null, null]);
  const back = (await api.patch(`/v1/qr-codes/${qr_id}`, { status: "active" }, 200)).body;
  assert.equal(back.render_status, "pending");
  assert.match((await api.rendered(qr_id)).slug, /^qr-/);
});

test("the files of an archived code stay: what was printed or embedded keeps its picture", async () => {
  const code = await api.createRendered();
  await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
  await api.get(pathOf(code.file_url_svg), 200);
});

test("what is waiting at an orderly stop is drawn after the start", async () => {
  const restyled = await api.createRendered();
  await keepRendererBusy(api);
  const waiting = await Promise.all(Array.from({ length: 5 }, () => api.createCode()));
  const restyle = { qr_render_metadata: { dot_style: "dots" } };
  const { body } = await api.patch(`/v1/qr-codes/${restyled.qr_id}`, restyle, 200);
  assert.equal(body.render_status, "staging");
  await server.restart();
  const early = (await api.get(`/v1/qr-codes/${waiting[0].qr_id}`, 200)).body;
  assert.ok(["pending", "rendering"].includes(early.render_status), "drawn too early for this test");
  for (const { qr_id } of waiting) assert.match((await api.rendered(qr_id)).slug, /^qr-/);
  assert.notEqual((await api.rendered(restyled.qr_id)).file_url_svg, restyled.file_url_svg);
});

test("what was answered before kill -9 is drawn after the start", async () => {
  const dataDir = temporaryFolder();
  const first = await startProcess(dataDir);
  assert.ok(first.key !== null);
  const before = new Client(first.url, { "x-api-key": first.key });
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => before.createCode({ qr_render_metadata: { dot_style: "rounded" } })),
  );
  first.process.kill("SIGKILL");
  await once(first.process, "exit");

  const second = await startProcess(dataDir);
  const afterwards = new Client(second.url, { "x-api-key": first.key });
  const done = [];
  for (const { qr_id } of codes) done.push(await afterwards.rendered(qr_id));
  assert.equal(new Set(done.map(({ slug }) => slug)).size, codes.length);
  for (const { slug, file_url_svg } of done) {
    await afterwards.get(pathOf(file_url_svg), 200);
    await afterwards.get(`/${slug}`, 302);
  }
  second.process.kill("SIGTERM");
  const [exitCode] = await once(second.process, "exit");
  assert.equal(exitCode, 0);
});

async function startProcess(
  dataDir: string,
): Promise<{ process: ChildProcess; url: string; key: string | null }> {
  const { child, output, ready } = spawnService({ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  const url = await ready();
  return { process: child, url, key: /api_live_\w+/.exec(output())?.[0] ?? null };
}
