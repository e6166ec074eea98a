/** The examples of a document tell one story: what one operation answers is what the next one speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { adminOpenapiDocument, openapiDocument } from "../../src/api/operations.ts";
import type { Json } from "../support/client.ts";

const document: Json = openapiDocument("https://qr.example.com");
const admin: Json = adminOpenapiDocument("https://qr.example.com");

/** The answer to the first example of a request. */
function answerOf(operation: Json, status: number): Json {
  return operation.responses[status].content["application/json"].example;
}

function requestOf(operation: Json): Json {
  const { examples } = operation.requestBody.content["application/json"];
  return (Object.values(examples)[0] as Json).value;
}

const differing = (a: Json, b: Json): string[] =>
  Object.keys({ ...a, ...b })
    .filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]))
    .sort();

const codes = document.paths["/v1/qr-codes"];
const code = document.paths["/v1/qr-codes/{id}"];
const created = answerOf(codes.post, 201);
const read = answerOf(code.get, 200);
const changed = answerOf(code.patch, 200);

test("a code is created as it was asked for", () => {
  const { name, ...asked } = requestOf(codes.post);
  for (const [field, value] of Object.entries({ ...asked, label: name })) {
    assert.equal(created[field], value, field);
  }
  assert.deepEqual(
    [created.slug, created.render_status, created.qr_data.url],
    [null, "pending", asked.redirect_url],
  );
});

test("then it is read, by id and by slug: only what rendering and scans bring is new", () => {
  assert.deepEqual(differing(created, read), [
    "destination_url",
    "file_url_png",
    "file_url_svg",
    "last_rendered_at",
    "render_attempt",
    "render_status",
    "scan_count",
    "scan_limit",
    "slug",
  ]);
  for (const path of ["/v1/qr-codes/find", "/v1/qr-codes/by-slug"]) {
    const { get } = document.paths[path];
    assert.deepEqual([answerOf(get, 200), get.parameters[0].example], [read, read.slug]);
  }
  assert.equal(code.get.parameters[0].example, read.qr_id);
});

test("it is listed as it is read", () => {
  const { items } = answerOf(codes.get, 200);
  assert.equal(items.length, 1);
  for (const [field, value] of Object.entries(items[0])) assert.equal(value, read[field], field);
});

test("a change changes what was sent, and what follows from it", () => {
  const asked = requestOf(code.patch);
  assert.deepEqual(differing(read, changed), [
    "destination_url",
    "qr_data",
    "redirect_url",
    "render_attempt",
    "render_requested_at",
    "render_status",
    "updated_at",
  ]);
  assert.equal(changed.redirect_url, asked.redirect_url);
  assert.equal(changed.render_status, "staging");
  assert.ok(changed.updated_at > read.last_rendered_at);
});

test("its link, its file and where it leads are the same everywhere", () => {
  assert.equal(document.paths["/{slug}"].get.parameters[0].example, read.slug);
  const [id, file] = document.paths["/files/{qr_id}/{file}"].get.parameters;
  assert.equal(read.file_url_svg, `https://qr.example.com/files/${id.example}/${file.example}`);
  const { headers } = document.components;
  assert.equal(headers.Destination.example, read.destination_url);
  assert.equal(headers.ETag.example, `"${file.example.split(".")[0]}"`);
});

test("its project is the one that is created and listed, beside the default one", () => {
  const { get, post } = document.paths["/v1/projects"];
  const project = answerOf(post, 201);
  assert.equal(read.project_id, project.project_id);
  const { items } = answerOf(get, 200);
  assert.deepEqual(differing(items[0], project), ["ok", "request_id", "version"]);
  assert.deepEqual(
    items.map((item: Json) => item.is_default),
    [false, true],
  );
  const { set_as_default, ...asked } = requestOf(post);
  assert.equal(project.is_default, set_as_default);
  for (const [field, value] of Object.entries(asked)) assert.equal(project[field], value, field);
});

test("the account is created, changed and read in that order, with the default project", () => {
  const accounts = admin.paths["/admin/v1/accounts"];
  const account = admin.paths["/admin/v1/accounts/{account_id}"];
  const fresh = answerOf(accounts.post, 201);
  for (const [field, value] of Object.entries(requestOf(accounts.post))) assert.equal(fresh[field], value);
  const now = answerOf(account.get, 200);
  assert.deepEqual(differing(fresh, now), ["limit_overrides", "limits", "updated_at", "usage"]);
  assert.deepEqual(answerOf(account.patch, 200), now);
  assert.deepEqual(now.limit_overrides, requestOf(account.patch).limits);
  assert.deepEqual(now.limits, { ...fresh.limits, ...now.limit_overrides });
  const projects = answerOf(admin.paths["/admin/v1/accounts/{account_id}/projects"].get, 200).items;
  assert.deepEqual(
    [projects.length, projects.find((project: Json) => project.is_default).project_id],
    [now.usage.projects, now.default_project_id],
  );
  const { headers } = document.components;
  const policies = `"burst";q=${now.limits.burst};w=1, "minute";q=${now.limits.per_minute};w=60, "day";q=${now.limits.per_day};w=86400`;
  assert.equal(headers.RateLimitPolicy.example, policies);
  const left = (limit: number, used: number) => `r=${limit - used};`;
  assert.ok(headers.RateLimit.example.includes(left(now.limits.per_minute, now.usage.requests_this_minute)));
  assert.ok(headers.RateLimit.example.includes(left(now.limits.per_day, now.usage.requests_this_day)));
});

test("no example and no sentence promises that all that was read can be sent back", () => {
  assert.doesNotMatch(JSON.stringify(document), /can be sent back/);
});
