import assert from "node:assert/strict";
import test from "node:test";
import { assertRefused } from "../../support/client.ts";
import { decode, pixelsOfPng, pixelsOfSvg } from "../../support/pictures/decode.ts";
import { startServer } from "../../support/server.ts";

const server = await startServer();
const { api } = server;

const url = "https://example.com/target";
const create = (body: unknown) => api.post("/v1/qr-codes", body);

async function image(fileUrl: string): Promise<Uint8Array> {
  const response = await fetch(server.url + new URL(fileUrl).pathname);
  assert.equal(response.status, 200);
  return new Uint8Array(await response.arrayBuffer());
}

async function assertEncodes(
  code: { file_url_svg: string; file_url_png: string },
  content: string,
): Promise<void> {
  assert.equal(await decode(pixelsOfSvg(await image(code.file_url_svg), 1024)), content);
  assert.equal(await decode(await pixelsOfPng(await image(code.file_url_png))), content);
}

for (const type of ["url", "dynamic_url"]) {
  test(`${type}: the image encodes the public link, qr_data holds the target`, async () => {
    const code = await api.createRendered({ type, redirect_url: url });
    assert.equal(code.type, type);
    assert.deepEqual(code.qr_data, { url });
    assert.equal(code.destination_url, url);
    await assertEncodes(code, `http://localhost:${new URL(server.url).port}/${code.slug}`);
  });
}

test("url is the type when none is given", async () => {
  assert.equal((await api.createCode()).type, "url");
});

test("text: the image encodes the text itself, and there is no target", async () => {
  const text = "Table 7, näher am Fenster ☕";
  const code = await api.createRendered({ redirect_url: undefined, type: "text", text });
  assert.deepEqual(code.qr_data, { text });
  assert.equal(code.redirect_url, "");
  assert.equal(code.destination_url, null);
  assert.match(code.slug, /^qr-[0-9a-z]{10}$/);
  await assertEncodes(code, text);
});

test("text may come in qr_data; the field text wins", async () => {
  const inData = (await create({ type: "text", qr_data: { text: "in data" } })).body;
  assert.deepEqual(inData.qr_data, { text: "in data" });
  const both = (await create({ type: "text", text: "field", qr_data: { text: "in data" } })).body;
  assert.deepEqual(both.qr_data, { text: "field" });
});

test("text is required, 1 to 1,000 characters", async () => {
  for (const body of [{ type: "text" }, { type: "text", qr_data: {} }]) {
    assertRefused(await create(body), 400, "invalid_request", /^text is required/);
  }
  for (const text of ["x", "x".repeat(1_000)]) {
    const { status, body } = await create({ type: "text", text });
    assert.equal(status, 201);
    assert.deepEqual(body.qr_data, { text });
  }
  for (const text of ["", "x".repeat(1_001)]) {
    assertRefused(await create({ type: "text", text }), 400, "invalid_request", /^text /);
    assertRefused(
      await create({ type: "text", qr_data: { text } }),
      400,
      "invalid_request",
      /^qr_data\.text /,
    );
  }
});

test("text that no symbol of the level holds is refused at once, not when it is drawn", async () => {
  const text = "€".repeat(425);
  const level = (error_correction: string) =>
    create({ type: "text", text, qr_render_metadata: { error_correction } });
  assertRefused(await level("H"), 400, "invalid_request", /^text .*error correction H/);
  const fitting = await level("Q");
  assert.equal(fitting.status, 201);
  await assertEncodes(await api.rendered(fitting.body.qr_id), text);
});

test("a change of the level that the text does not allow is refused and changes nothing", async () => {
  const { body } = await create({ type: "text", text: "€".repeat(425) });
  const change = { qr_render_metadata: { error_correction: "H" } };
  assertRefused(
    await api.patch(`/v1/qr-codes/${body.qr_id}`, change),
    400,
    "invalid_request",
    /error correction H/,
  );
  assert.equal((await api.get(`/v1/qr-codes/${body.qr_id}`)).body.qr_render_metadata.error_correction, "M");
});

test("a text code takes no target", async () => {
  assertRefused(
    await create({ type: "text", text: "t", redirect_url: url }),
    400,
    "invalid_request",
    /^redirect_url /,
  );
  assert.equal((await create({ type: "text", text: "t", redirect_url: "" })).status, 201);
});

test("the target of a code that is not of type url cannot be changed", async () => {
  const dynamic = await api.createCode({ type: "dynamic_url" });
  const text = (await create({ type: "text", text: "t" })).body;
  for (const { qr_id } of [dynamic, text]) {
    const answer = await api.patch(`/v1/qr-codes/${qr_id}`, { redirect_url: "https://example.com/new" });
    assertRefused(answer, 400, "invalid_request", /^redirect_url .*type/);
  }
  assert.equal((await api.get(`/v1/qr-codes/${dynamic.qr_id}`)).body.redirect_url, url);
});

test("everything else of such a code can be changed", async () => {
  const { qr_id } = await api.createCode({ type: "dynamic_url" });
  const { body } = await api.patch(`/v1/qr-codes/${qr_id}`, { label: "New", scan_limit: 9 }, 200);
  assert.deepEqual([body.label, body.scan_limit, body.type], ["New", 9, "dynamic_url"]);
});

test("types of the dashboard cannot be created", async () => {
  for (const type of ["vcard", "wifi", "email", ""]) {
    assertRefused(
      await create({ type, redirect_url: url }),
      400,
      "invalid_request",
      /^type must be one of "url", "dynamic_url", "text"/,
    );
  }
});
