import assert from "node:assert/strict";
import test from "node:test";
import { defaultMetadata } from "../../../src/domain/looks/render-metadata.ts";
import { scheduleRule } from "../../fakes/sample-documents.ts";
import { keepRendererBusy } from "../../support/busy-renderer.ts";
import { assertRefused } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api } = server;

const patch = (id: string, body: unknown) => api.patch(`/v1/qr-codes/${id}`, body);
const read = async (id: string) => (await api.get(`/v1/qr-codes/${id}`, 200)).body;
const withoutRequest = ({ request_id: _, ...fields }: { request_id: string }) => fields;

test("each field can be changed alone, and only it changes", async () => {
  const code = await api.createRendered({ name: "Before" });
  const rule = { condition: "device", value: "ios", url: "https://example.com/ios" };
  for (const change of [
    { label: "After" },
    { expires_at: "2040-01-01T00:00:00.000Z" },
    { scan_limit: 12 },
    { redirect_rules: [rule] },
  ]) {
    const before = await read(code.qr_id);
    const answer = await patch(code.qr_id, change);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.body.updated_at >= before.updated_at);
    const expected = { ...before, ...change, updated_at: answer.body.updated_at };
    assert.deepEqual(withoutRequest(answer.body), withoutRequest(expected));
    assert.deepEqual(withoutRequest(await read(code.qr_id)), withoutRequest(expected));
  }
});

test("name is an alias of label, and label wins", async () => {
  const { qr_id } = await api.createCode();
  assert.equal((await patch(qr_id, { name: "by name" })).body.label, "by name");
  assert.equal((await patch(qr_id, { name: "by name", label: "by label" })).body.label, "by label");
});

test("null clears rules, expiry and limit; so does an empty list of rules", async () => {
  const full = {
    redirect_rules: [{ condition: "country", value: "DE", url: "https://example.com/de" }],
    expires_at: "2040-01-01T00:00:00Z",
    scan_limit: 5,
  };
  const { qr_id } = await api.createCode(full);
  const cleared = (await patch(qr_id, { redirect_rules: null, expires_at: null, scan_limit: null })).body;
  assert.deepEqual([cleared.redirect_rules, cleared.expires_at, cleared.scan_limit], [[], null, null]);
  assert.equal((await patch(qr_id, full)).body.redirect_rules.length, 1);
  assert.deepEqual((await patch(qr_id, { redirect_rules: [] })).body.redirect_rules, []);
  assert.equal((await read(qr_id)).scan_limit, 5);
});

test("a body that changes nothing keeps updated_at and asks for no image", async () => {
  const code = await api.createRendered({ scan_limit: 4, expires_at: "2040-01-01T00:00:00Z" });
  for (const body of [
    {},
    { unknown: 1 },
    { label: code.label },
    { redirect_url: "https://EXAMPLE.com:443/target" },
    { status: "active" },
    { expires_at: "2040-01-01T01:00:00+01:00" },
    { scan_limit: 4, redirect_rules: null },
    { qr_render_metadata: {} },
    { qr_render_metadata: { foreground_color: "#000" } },
  ]) {
    const { body: answer } = await api.patch(`/v1/qr-codes/${code.qr_id}`, body, 200);
    assert.deepEqual(withoutRequest(answer), withoutRequest(code));
  }
});

test("a whole answer can be sent back", async () => {
  const code = await api.createRendered({
    scan_limit: 4,
    redirect_rules: [
      {
        condition: "device",
        value: "android",
        condition2: "country",
        value2: "fr",
        url: "https://example.com/1",
      },
      scheduleRule(["sat"], "08:00", "09:30", "https://example.com/2"),
    ],
    qr_render_metadata: { width: 30, unit: "mm", format_ratio: "4:3" },
  });
  const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, code, 200);
  assert.deepEqual(withoutRequest(body), withoutRequest(code));
});

test("read-only fields are ignored", async () => {
  const code = await api.createRendered();
  const change = {
    qr_id: "qr_x",
    slug: "qr-x",
    scan_count: 7,
    type: "text",
    project_id: "prj_x",
    created_at: null,
    render_status: "error",
    destination_url: "https://elsewhere.example.com/",
    analytics_enabled: false,
  };
  assert.deepEqual(withoutRequest((await patch(code.qr_id, change)).body), withoutRequest(code));
});

test("bad values are refused by name and change nothing", async () => {
  const code = await api.createRendered();
  for (const [field, values] of Object.entries({
    label: ["", "x".repeat(201), null, 1],
    name: ["", null],
    redirect_url: ["", null, 1, "not a url", "https://example.com/".padEnd(2_049, "a")],
    status: ["blocked", "deleted", "", null, true],
    redirect_rules: ["x", {}, [1]],
    expires_at: ["soon", 0, "2040-01-01"],
    scan_limit: [0, -1, 2.5, 2_147_483_648, "1"],
    qr_render_metadata: [null, [], "x", { dpi: 1 }, { colour: "red" }],
  })) {
    for (const value of values) {
      const answer = await patch(code.qr_id, { label: "changed", [field]: value });
      assertRefused(answer, 400, "invalid_request", new RegExp(`^${field}\\b`));
    }
  }
  assert.deepEqual(withoutRequest(await read(code.qr_id)), withoutRequest(code));
});

test("a body that is not a JSON object is invalid_payload", async () => {
  const { qr_id } = await api.createCode();
  for (const raw of ["", "{", "[]", "null", '"x"', "1"]) {
    const answer = await api.call("PATCH", `/v1/qr-codes/${qr_id}`, { raw });
    assertRefused(answer, 400, "invalid_payload");
  }
});

test("a code that is not there is 404", async () => {
  assertRefused(await patch("qr_nothing", { label: "x" }), 404, "qr_not_found");
});

test("a new target counts at once, is drawn again, and the old files are served meanwhile", async () => {
  const code = await api.createRendered();
  await keepRendererBusy(api);
  const target = "https://example.com/new";
  const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_url: target }, 200);
  assert.ok(["staging", "rendering"].includes(body.render_status), body.render_status);
  assert.deepEqual(
    [body.redirect_url, body.destination_url, body.qr_data.url, body.slug],
    [target, target, target, code.slug],
  );
  assert.ok(body.render_requested_at > code.render_requested_at);
  assert.equal(body.last_rendered_at, code.last_rendered_at);
  assert.deepEqual([body.file_url_svg, body.file_url_png], [code.file_url_svg, code.file_url_png]);
  assert.equal((await api.get(`/${code.slug}`, 302)).headers.get("location"), target);
  await api.get(new URL(code.file_url_svg).pathname, 200);

  const done = await api.rendered(code.qr_id);
  assert.ok(done.last_rendered_at > code.last_rendered_at);
  assert.equal(done.render_attempt, 1);
  // The image shows the short link, which did not change.
  assert.equal(done.file_url_svg, code.file_url_svg);
});

test("new metadata is drawn again: old files until then, new addresses afterwards", async () => {
  const code = await api.createRendered();
  await keepRendererBusy(api);
  const change = { qr_render_metadata: { foreground_color: "#123456", export_png: false } };
  const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, change, 200);
  assert.equal(body.render_status, "staging");
  assert.deepEqual(body.qr_render_metadata, {
    ...defaultMetadata,
    foreground_color: "#123456",
    export_png: false,
  });
  assert.equal(body.file_url_svg, code.file_url_svg);
  const oldFiles = [new URL(code.file_url_svg).pathname, new URL(code.file_url_png).pathname];
  for (const path of oldFiles) await api.get(path, 200);

  const done = await api.rendered(code.qr_id);
  assert.notEqual(done.file_url_svg, code.file_url_svg);
  assert.equal(done.file_url_png, null);
  assert.match((await api.get(new URL(done.file_url_svg).pathname, 200)).text, /#123456/);
  for (const path of oldFiles) assertRefused(await api.get(path), 404, "not_found");
});

test("metadata is changed key by key", async () => {
  const { qr_id } = await api.createCode({ qr_render_metadata: { dot_style: "dots", quiet_zone: 2 } });
  const { body } = await api.patch(
    `/v1/qr-codes/${qr_id}`,
    { qr_render_metadata: { eye_style: "leaf" } },
    200,
  );
  assert.deepEqual(body.qr_render_metadata, {
    ...defaultMetadata,
    dot_style: "dots",
    quiet_zone: 2,
    eye_style: "leaf",
  });
});

test("archive and reactivate, each also when it is so already", async () => {
  const code = await api.createRendered();
  for (let time = 0; time < 2; time++) {
    const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
    assert.deepEqual([body.status, body.render_status, body.slug], ["archived", "idle", code.slug]);
  }
  for (let time = 0; time < 2; time++) {
    const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "active" }, 200);
    assert.deepEqual([body.status, body.render_status, body.slug], ["active", "done", code.slug]);
  }
});

test("an archived code can be changed, and what changed is drawn when it comes back", async () => {
  const code = await api.createRendered();
  await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "archived" }, 200);
  const change = { label: "Hidden", qr_render_metadata: { foreground_color: "#300" } };
  const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, change, 200);
  assert.deepEqual([body.status, body.label, body.render_status], ["archived", "Hidden", "idle"]);
  const back = (await api.patch(`/v1/qr-codes/${code.qr_id}`, { status: "active" }, 200)).body;
  assert.ok(["staging", "rendering"].includes(back.render_status), back.render_status);
  const done = await api.rendered(code.qr_id);
  assert.match((await api.get(new URL(done.file_url_svg).pathname, 200)).text, /#330000/);
});

test("several fields and a status change at once", async () => {
  const { qr_id } = await api.createRendered();
  const change = { status: "archived", label: "Both", scan_limit: 1 };
  const { body } = await api.patch(`/v1/qr-codes/${qr_id}`, change, 200);
  assert.deepEqual([body.status, body.label, body.scan_limit], ["archived", "Both", 1]);
});

test("parallel changes of different fields are all kept", async () => {
  const { qr_id } = await api.createCode();
  await Promise.all([
    patch(qr_id, { label: "L" }),
    patch(qr_id, { scan_limit: 8 }),
    patch(qr_id, { expires_at: "2040-01-01T00:00:00Z" }),
    patch(qr_id, { redirect_url: "https://example.com/p" }),
  ]);
  const { label, scan_limit, expires_at, redirect_url } = await read(qr_id);
  assert.deepEqual(
    [label, scan_limit, expires_at, redirect_url],
    ["L", 8, "2040-01-01T00:00:00.000Z", "https://example.com/p"],
  );
});

test("scan_limit may fall below the present count: the code is used up at once", async () => {
  const { qr_id, slug } = await api.createRendered();
  for (let scan = 0; scan < 3; scan++) await api.get(`/${slug}`, 302);
  const { body } = await api.patch(`/v1/qr-codes/${qr_id}`, { scan_limit: 2 }, 200);
  assert.deepEqual([body.scan_limit, body.scan_count], [2, 3]);
  assertRefused(await api.get(`/${slug}`), 410, "qr_scan_limit_reached");
});

test("a change of the target answers the state at its commit, however fast the worker is", async () => {
  const code = await api.createRendered();
  for (let round = 0; round < 10; round++) {
    const redirect_url = `https://example.com/round-${round}`;
    const { body } = await api.patch(`/v1/qr-codes/${code.qr_id}`, { redirect_url }, 200);
    assert.deepEqual([body.render_status, body.render_attempt], ["staging", 0]);
    assert.equal(body.render_requested_at, body.updated_at);
    assert.equal((await api.rendered(code.qr_id)).redirect_url, redirect_url);
  }
});

test("another text is refused by name", async () => {
  const { qr_id } = await api.createCode({ redirect_url: undefined, type: "text", text: "Locker 17" });
  await api.patch(`/v1/qr-codes/${qr_id}`, { text: "Locker 17" }, 200);
  assertRefused(await api.patch(`/v1/qr-codes/${qr_id}`, { text: "x" }), 400, "invalid_request", /^text /);
});
