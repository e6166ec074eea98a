/** Codes of the types that only the dashboard makes: made, drawn, decoded, listed, read and archived. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contentTypes, encodeContent } from "../../src/domain/content/content.ts";
import { contentSamples } from "../golden/content-samples.ts";
import { assertRefused } from "../support/client.ts";
import { makePeople } from "../support/pages/people-world.ts";
import { decode, pixelsOfPng, pixelsOfSvg } from "../support/pictures/decode.ts";
import { inGrey } from "../support/pictures/distortions.ts";
import { isInstalled, read, readers } from "../support/pictures/readers.ts";

const world = await makePeople();

for (const type of contentTypes) {
  test(`${type}: the picture says to every reader what phones expect`, async () => {
    const { server, member } = world;
    const [content] = contentSamples[type][0]!;
    const text = encodeContent(type, content);
    const made = (await member.post("/qr-codes", { type, content }, 201)).body;
    const code = await server.api.rendered(made.qr_id);
    assert.deepEqual([code.type, code.qr_data, code.redirect_url], [type, { text }, ""]);
    assert.equal(code.destination_url, null);
    assert.equal(code.label, contentSamples[type][0]![2]);

    const bytes = async (url: string) =>
      new Uint8Array(await (await fetch(server.url + new URL(url).pathname)).arrayBuffer());
    assert.equal(await decode(pixelsOfSvg(await bytes(code.file_url_svg), 1_200)), text);
    const { width, height, data } = await pixelsOfPng(await bytes(code.file_url_png));
    for (const reader of readers.filter(isInstalled)) {
      assert.deepEqual(await read(reader, [inGrey(width, height, data)]), [text], reader);
    }
  });
}

test("the API lists, reads and archives them, and makes none", async () => {
  const { server, member } = world;
  const body = { type: "wifi", content: { ssid: "Cellar", security: "nopass" }, name: "For the cellar" };
  const { qr_id } = (await member.post("/qr-codes", body, 201)).body;
  const listed = (await server.api.get("/v1/qr-codes?type=wifi", 200)).body.items;
  assert.ok(listed.some((item: { qr_id: string }) => item.qr_id === qr_id));
  assert.equal((await server.api.get(`/v1/qr-codes/${qr_id}`, 200)).body.label, "For the cellar");
  for (const change of [{ text: "other" }, { redirect_url: "https://example.com/" }]) {
    assertRefused(await server.api.patch(`/v1/qr-codes/${qr_id}`, change), 400, "invalid_request");
  }
  await server.api.patch(`/v1/qr-codes/${qr_id}`, { label: "Cellar" }, 200);
  await server.api.patch(`/v1/qr-codes/${qr_id}`, { status: "archived" }, 200);
  assert.equal((await member.get(`/qr-codes/${qr_id}`, 200)).body.status, "archived");
  await member.patch(`/v1/qr-codes/${qr_id}`, { status: "active" }, 200);
  for (const type of contentTypes) {
    const answer = await server.api.post("/v1/qr-codes", { type, text: "x" });
    assertRefused(answer, 400, "invalid_request", /^type must be one of "url", "dynamic_url", "text"/);
  }
  const link = await fetch(`${server.url}/${(await server.api.rendered(qr_id)).slug}`);
  assert.equal(await link.text(), "WIFI:T:nopass;S:Cellar;;");
});

test("what cannot be encoded is refused by its field, and so is what no symbol holds", async () => {
  const { member } = world;
  const post = (body: object) => member.post("/qr-codes", body);
  assertRefused(
    await post({ type: "wifi", content: { ssid: "a" } }),
    400,
    "invalid_request",
    /^content\.security is required/,
  );
  assertRefused(await post({ type: "wifi" }), 400, "invalid_request", /^content is required/);
  assertRefused(await post({ type: "wifi", content: [] }), 400, "invalid_request", /^content must be/);
  assertRefused(
    await post({ type: "url", content: {} }),
    400,
    "invalid_request",
    /^type must be one of "contact"/,
  );
  const long = { first_name: "ß".repeat(80), last_name: "ß".repeat(80), note: "ß".repeat(500) };
  const looks = { qr_render_metadata: { error_correction: "H" } };
  assertRefused(
    await post({ type: "contact", content: long, ...looks }),
    400,
    "invalid_request",
    /^content is too long .* H$/,
  );
  const typo = { type: "phone", content: { number: "112" }, qr_render_metadata: { dots: "round" } };
  assertRefused(await post(typo), 400, "invalid_request", /^qr_render_metadata\.dots /);
});

test("plan and cap hold here as they do for the API, and a repeat is answered once", async () => {
  const { server, member } = world;
  const body = { type: "phone", content: { number: "112" } };
  const headers = { "idempotency-key": "once" };
  const first = await member.post("/qr-codes", body, 201, headers);
  const again = await member.post("/qr-codes", body, 201, headers);
  assert.equal(again.body.qr_id, first.body.qr_id);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  const account = `/admin/v1/accounts/${server.account.id}`;
  await server.admin.patch(account, { limits: { qr_cap: 0 } }, 200);
  assertRefused(await member.post("/qr-codes", body), 402, "quota_exceeded_qr");
  await server.admin.patch(account, { limits: { qr_cap: null }, plan: "viewer" }, 200);
  assertRefused(await member.post("/qr-codes", body), 403, "feature_disabled");
  await server.admin.patch(account, { plan: "enterprise" }, 200);
});
