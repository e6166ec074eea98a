import assert from "node:assert/strict";
import test from "node:test";
import { defaultMetadata } from "../../../src/domain/looks/render-metadata.ts";
import { assertRefused } from "../../support/client.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api, admin, account } = server;

const url = "https://example.com/target";
const create = (body: unknown) => api.post("/v1/qr-codes", body);
const activeCodes = async () =>
  (await admin.get(`/admin/v1/accounts/${account.id}`, 200)).body.usage.active_codes;

test("a new code is answered in full with 201", async () => {
  const before = Date.now();
  const answer = await api.post("/v1/qr-codes", { name: "Menu", redirect_url: url }, 201);
  const { request_id, qr_id, created_at, ...fields } = answer.body;
  assert.match(qr_id, /^qr_[0-9a-z]+$/);
  assert.equal(answer.headers.get("x-request-id"), request_id);
  assert.ok(Date.parse(created_at) >= before - 1 && Date.parse(created_at) <= Date.now());
  assert.deepEqual(fields, {
    ok: true,
    version: "2025-11-14-v1",
    label: "Menu",
    slug: null,
    status: "active",
    type: "url",
    project_id: account.projectId,
    redirect_url: url,
    redirect_rules: [],
    expires_at: null,
    destination_url: null,
    qr_data: { url },
    qr_render_metadata: { ...defaultMetadata },
    analytics_enabled: true,
    render_status: "pending",
    render_requested_at: created_at,
    render_attempt: 0,
    render_error: null,
    file_url_svg: null,
    file_url_png: null,
    updated_at: created_at,
    last_rendered_at: null,
  });
});

test("what was answered is what is read", async () => {
  const created = await api.createCode({ name: "Read me", scan_limit: 3 });
  const read = (await api.get(`/v1/qr-codes/${created.qr_id}`, 200)).body;
  for (const field of ["qr_id", "label", "type", "redirect_url", "created_at", "project_id"]) {
    assert.deepEqual(read[field], created[field], field);
  }
  // The contract gives these to single reads and changes only.
  assert.deepEqual([read.scan_limit, read.scan_count], [3, 0]);
  assert.deepEqual([created.scan_limit, created.scan_count], [undefined, undefined]);
});

test("name and label are the same field; name wins; without both the host names the code", async () => {
  assert.equal((await api.createCode({ label: "by label" })).label, "by label");
  assert.equal((await api.createCode({ name: "by name", label: "by label" })).label, "by name");
  assert.equal(
    (await api.createCode({ redirect_url: "https://Shop.Example.com:8443/a" })).label,
    "shop.example.com",
  );
});

test("without a name, a text code is named by the first 40 characters of the text", async () => {
  const text = `${"ü".repeat(39)}😀${"x".repeat(20)}`;
  const code = await api.createCode({ redirect_url: undefined, type: "text", text });
  assert.equal(code.label, `${"ü".repeat(39)}😀`);
});

test("a code goes into the project it names, and otherwise into the default project of that moment", async () => {
  const other = await server.newAccount();
  const named = (await other.api.post("/v1/projects", { name: "Named" }, 201)).body;
  assert.equal((await other.api.createCode({ project_id: named.project_id })).project_id, named.project_id);
  assert.equal((await other.api.createCode()).project_id, other.projectId);
  const next = (await other.api.post("/v1/projects", { name: "Next", set_as_default: true }, 201)).body;
  assert.equal((await other.api.createCode()).project_id, next.project_id);
});

test("a project that is not there, or not one's own, is 404 project_not_found", async () => {
  const other = await server.newAccount();
  for (const project_id of ["prj_nothing", other.projectId, "x".repeat(64)]) {
    assertRefused(await create({ redirect_url: url, project_id }), 404, "project_not_found");
  }
});

test("a missing target names the field", async () => {
  for (const body of [
    {},
    { type: "url" },
    { type: "dynamic_url" },
    { redirect_url: "" },
    { type: "url", text: "t" },
  ]) {
    assertRefused(await create(body), 400, "invalid_request", /^redirect_url is required/);
  }
});

test("the lengths of text are counted in characters, and both edges are exact", async () => {
  for (const field of ["name", "label"]) {
    for (const value of ["x", "x".repeat(200), "😀".repeat(200)]) {
      assert.equal((await api.createCode({ [field]: value })).label, value);
    }
    for (const value of ["", "x".repeat(201), "😀".repeat(201)]) {
      assertRefused(
        await create({ redirect_url: url, [field]: value }),
        400,
        "invalid_request",
        new RegExp(`^${field} `),
      );
    }
  }
});

test("a URL of 2,048 characters is taken, one more is not", async () => {
  const longest = "https://example.com/".padEnd(2_048, "a");
  assert.equal((await api.createCode({ redirect_url: longest })).redirect_url, longest);
  assertRefused(await create({ redirect_url: `${longest}a` }), 400, "invalid_request", /^redirect_url /);
  const rule = (target: string) => ({ condition: "device", value: "ios", url: target });
  const code = await api.createCode({ redirect_rules: [rule(longest)] });
  assert.equal(code.redirect_rules[0].url, longest);
  assertRefused(
    await create({ redirect_url: url, redirect_rules: [rule(`${longest}a`)] }),
    400,
    "invalid_request",
    /^redirect_rules\[0\]\.url /,
  );
});

test("a URL that only becomes too long when it is written in ASCII is refused", async () => {
  const value = `https://example.com/${"ü".repeat(1_000)}`;
  assertRefused(await create({ redirect_url: value }), 400, "invalid_request", /^redirect_url .*2048/);
});

test("a target is kept as the URL parser writes it", async () => {
  const code = await api.createCode({ redirect_url: "HTTPS://Example.COM:443/a/../b?q=ü#frag" });
  assert.equal(code.redirect_url, "https://example.com/b?q=%C3%BC#frag");
  assert.equal(code.qr_data.url, code.redirect_url);
});

test("expires_at is normalised to milliseconds and Z, and may lie in the past", async () => {
  for (const [given, kept] of [
    ["2031-05-06T07:08:09Z", "2031-05-06T07:08:09.000Z"],
    ["2031-05-06T07:08Z", "2031-05-06T07:08:00.000Z"],
    ["2031-05-06T07:08:09.123456Z", "2031-05-06T07:08:09.123Z"],
    ["2031-05-06T07:08:09.5+02:00", "2031-05-06T05:08:09.500Z"],
    ["2001-02-03T04:05:06-08:00", "2001-02-03T12:05:06.000Z"],
  ]) {
    assert.equal((await api.createCode({ expires_at: given })).expires_at, kept);
  }
});

test("a time without a zone, or one that does not exist, is refused", async () => {
  for (const expires_at of [
    "2031-05-06",
    "2031-05-06T07:08:09",
    "tomorrow",
    "2031-02-30T00:00:00Z",
    "",
    1_900_000_000,
  ]) {
    assertRefused(await create({ redirect_url: url, expires_at }), 400, "invalid_request", /^expires_at /);
  }
});

test("scan_limit is an integer from 1 to 2,147,483,647", async () => {
  for (const scan_limit of [1, 2_147_483_647]) {
    const { qr_id } = await api.createCode({ scan_limit });
    assert.equal((await api.get(`/v1/qr-codes/${qr_id}`, 200)).body.scan_limit, scan_limit);
  }
  for (const scan_limit of [0, -1, 1.5, 2_147_483_648, "5", true, []]) {
    assertRefused(await create({ redirect_url: url, scan_limit }), 400, "invalid_request", /^scan_limit /);
  }
});

test("null for the advanced fields means without them", async () => {
  const { qr_id } = await api.createCode({ redirect_rules: null, expires_at: null, scan_limit: null });
  const code = (await api.get(`/v1/qr-codes/${qr_id}`, 200)).body;
  assert.deepEqual([code.redirect_rules, code.expires_at, code.scan_limit], [[], null, null]);
});

test("fields of a wrong type are refused by name", async () => {
  const wrong: Record<string, unknown[]> = {
    name: [1, [], {}],
    label: [false],
    type: ["vcard", "URL", 1],
    redirect_url: [1, [url], { url }],
    project_id: [1, "", "x".repeat(65)],
    redirect_rules: ["none", {}, 3],
    qr_render_metadata: ["dots", [], 1],
    text: [1, ""],
    qr_data: ["text", 1],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const body = {
        type: field === "text" || field === "qr_data" ? "text" : "url",
        redirect_url: url,
        [field]: value,
      };
      if (body.type === "text") delete (body as { redirect_url?: string }).redirect_url;
      assertRefused(await create(body), 400, "invalid_request", new RegExp(`^${field}\\b`));
    }
  }
});

test("half of a surrogate pair is refused", async () => {
  assertRefused(await create({ redirect_url: url, name: "a\ud800" }), 400, "invalid_request", /^name /);
});

test("unknown and read-only fields are ignored", async () => {
  const code = await api.createCode({
    name: "Kept",
    colour: "red",
    qr_id: "qr_mine",
    slug: "qr-mine000000",
    status: "blocked",
    scan_count: 99,
    destination_url: "https://elsewhere.example.com/",
    render_status: "done",
    created_at: "2001-01-01T00:00:00.000Z",
    analytics_enabled: false,
  });
  assert.notEqual(code.qr_id, "qr_mine");
  assert.deepEqual(
    [code.slug, code.status, code.destination_url, code.render_status, code.analytics_enabled],
    [null, "active", null, "pending", true],
  );
  assert.ok(Date.parse(code.created_at) > Date.parse("2020-01-01"));
  const rendered = await api.rendered(code.qr_id);
  assert.notEqual(rendered.slug, "qr-mine000000");
  assert.equal(rendered.scan_count, 0);
});

test("an answer can be sent back to make another code like it", async () => {
  const expires_at = "2040-01-01T00:00:00.000Z";
  const { body } = await api.post("/v1/qr-codes", { name: "Again", redirect_url: url, expires_at }, 201);
  const copy = (await api.post("/v1/qr-codes", body, 201)).body;
  assert.notEqual(copy.qr_id, body.qr_id);
  assert.deepEqual([copy.label, copy.redirect_url, copy.expires_at], ["Again", url, expires_at]);
});

test("qr_render_metadata may be given in part and is answered in full", async () => {
  const given = { dot_style: "dots", foreground_color: "#03A", width: 1024 };
  const { qr_render_metadata } = await api.createCode({ qr_render_metadata: given });
  assert.deepEqual(qr_render_metadata, {
    ...defaultMetadata,
    dot_style: "dots",
    foreground_color: "#0033aa",
    width: 1024,
    height: 1024,
  });
});

test("a bad value or an unknown key of qr_render_metadata is refused by its key", async () => {
  for (const [key, values] of Object.entries({
    format_ratio: ["2:1", 1],
    width: [0, 63, 4097, "512"],
    height: [-1, 5000],
    unit: ["pt", ""],
    padding: [-1, "0", 256],
    quiet_zone: [-1, 17, 1.5],
    border_style: ["double"],
    dot_style: ["star", 7],
    eye_style: ["oval"],
    foreground_color: ["black", "#12345", "#eeeeee"],
    background_color: ["#ggg"],
    bg_transparent: ["no", 1],
    error_correction: ["X", "m"],
    dpi: [71, 1201, 300.5],
    export_png: ["yes"],
    output_alignment: ["middle"],
    shadow: [true, null],
  })) {
    for (const value of values) {
      const body = { redirect_url: url, qr_render_metadata: { [key]: value } };
      assertRefused(await create(body), 400, "invalid_request", new RegExp(`^qr_render_metadata\\.${key} `));
    }
  }
});

test("a canvas too small for the symbol is refused", async () => {
  const body = { redirect_url: url, qr_render_metadata: { width: 64, error_correction: "H" } };
  assertRefused(await create(body), 400, "invalid_request", /^qr_render_metadata\.width .*2 px/);
});

test("whatever is refused leaves nothing behind and takes nothing from the quota", async () => {
  const before = await activeCodes();
  const listed = (await api.get("/v1/qr-codes?page_size=1", 200)).body.items[0].qr_id;
  for (const body of [
    {},
    { redirect_url: "ftp://example.com/" },
    { redirect_url: "http://127.0.0.1/" },
    { redirect_url: url, name: "" },
    { redirect_url: url, scan_limit: 0 },
    { redirect_url: url, project_id: "prj_nothing" },
    { redirect_url: url, qr_render_metadata: { dpi: 1 } },
    { redirect_url: url, redirect_rules: [{ condition: "device", value: "tv", url }] },
  ]) {
    assert.ok((await create(body)).status >= 400);
  }
  assert.equal(await activeCodes(), before);
  assert.equal((await api.get("/v1/qr-codes?page_size=1", 200)).body.items[0].qr_id, listed);
});
