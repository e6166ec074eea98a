import assert from "node:assert/strict";
import test from "node:test";
import { assertRefused } from "../../support/client.ts";
import { decode, pixelsOfSvg } from "../../support/pictures/decode.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api } = server;

test("from a project to a code, its scans, a new target, the archive and back", async () => {
  const project = (await api.post("/v1/projects", { name: "Spring fair", set_as_default: true }, 201)).body;
  assert.deepEqual([project.is_default, project.created_via], [true, "api"]);
  const projects = (await api.get("/v1/projects", 200)).body.items;
  assert.deepEqual(
    projects.map((item: { is_default: boolean }) => item.is_default),
    [true, false],
  );

  const created = (
    await api.post("/v1/qr-codes", { name: "Poster", redirect_url: "https://example.com/spring" }, 201)
  ).body;
  assert.deepEqual(
    [created.project_id, created.status, created.render_status, created.slug],
    [project.project_id, "active", "pending", null],
  );

  const code = await api.rendered(created.qr_id);
  const svg = await api.get(new URL(code.file_url_svg).pathname, 200);
  const link = await decode(pixelsOfSvg(Buffer.from(svg.text), 512));
  assert.equal(link, new URL(`/${code.slug}`, code.file_url_svg).href);

  const scan = () => api.get(new URL(link!).pathname);
  assert.equal((await scan()).headers.get("location"), "https://example.com/spring");

  const change = { label: "Poster, reprinted", redirect_url: "https://example.com/summer" };
  const changed = (await api.patch(`/v1/qr-codes/${code.qr_id}`, change, 200)).body;
  assert.deepEqual(
    [changed.label, changed.destination_url, changed.scan_count],
    ["Poster, reprinted", change.redirect_url, 1],
  );
  assert.equal((await scan()).headers.get("location"), change.redirect_url);
  assert.equal((await api.rendered(code.qr_id)).slug, code.slug);

  await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
  assertRefused(await scan(), 404, "qr_not_found");
  assertRefused(await api.get(`/v1/qr-codes/${code.qr_id}`), 404, "qr_not_found");
  assert.deepEqual((await api.get("/v1/qr-codes", 200)).body.items, []);
  const archived = (await api.get("/v1/qr-codes?status=archived", 200)).body.items;
  assert.deepEqual([archived.length, archived[0].qr_id], [1, code.qr_id]);

  await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "active" }, 200);
  assert.equal((await scan()).headers.get("location"), change.redirect_url);
  const found = (await api.get(`/v1/qr-codes/find?slug=${code.slug}`, 200)).body;
  assert.deepEqual([found.qr_id, found.scan_count, found.status], [code.qr_id, 3, "active"]);
});
