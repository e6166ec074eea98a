/** The check that all other tests lean on must itself refuse what is not documented. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerExamples, errorExample } from "../../src/openapi/examples.ts";
import { type Answered, assertInContract } from "../support/contract.ts";

const headers = {
  "content-type": "application/json; charset=utf-8",
  "x-request-id": errorExample.request_id,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "ratelimit-policy": '"minute";q=30;w=60',
  ratelimit: '"minute";r=29;t=12',
  "x-ratelimit-limit": "30",
  "x-ratelimit-remaining": "29",
  "x-ratelimit-reset": "1772355960",
};

const read: Answered = {
  method: "GET",
  path: "/v1/qr-codes/qr_1?x=1",
  status: 200,
  headers,
  body: answerExamples.code,
};
const notFound = { ...errorExample, code: "qr_not_found", message: "There is no such QR code." };

const kept: [string, Answered][] = [
  ["an answer as documented", read],
  ["the body as text", { ...read, body: JSON.stringify(read.body) }],
  ["HEAD where GET is", { ...read, method: "HEAD", body: "" }],
  ["a documented error", { ...read, status: 404, body: notFound }],
  ["an unknown path", { ...read, path: "/v2/x", status: 404, body: { ...notFound, code: "not_found" } }],
  [
    "a wrong method",
    {
      ...read,
      method: "DELETE",
      status: 405,
      headers: { ...headers, allow: "GET, HEAD, PATCH" },
      body: { ...notFound, code: "method_not_allowed" },
    },
  ],
  [
    "a redirect",
    {
      method: "GET",
      path: "/qr-1",
      status: 302,
      headers: {
        location: "https://a.example/",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
      body: "",
    },
  ],
  ["a fixed path before one with a parameter", { ...read, path: "/v1/qr-codes/find?slug=x" }],
];

const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

const broken: [string, Answered][] = [
  ["a field too many", { ...read, body: { ...answerExamples.code, secret: 1 } }],
  [
    "a field too many inside",
    { ...read, body: { ...answerExamples.code, qr_data: { url: "x", text: "y" } } },
  ],
  ["a field missing", { ...read, body: { ...answerExamples.code, label: undefined } }],
  ["a null that must not be", { ...read, body: { ...answerExamples.code, label: null } }],
  [
    "a time without milliseconds",
    { ...read, body: { ...answerExamples.code, created_at: "2026-01-01T00:00:00Z" } },
  ],
  ["a status that is not documented", { ...read, status: 201 }],
  [
    "an error code of another operation",
    { ...read, status: 404, body: { ...notFound, code: "project_not_found" } },
  ],
  ["an error code of another status", { ...read, status: 404, body: { ...notFound, code: "unauthorized" } }],
  ["another request id in the header", { ...read, headers: { ...headers, "x-request-id": "other" } }],
  ["no rate headers", { ...read, headers: without("ratelimit") }],
  ["an answer that caches may keep", { ...read, headers: without("cache-control") }],
  [
    "a refusal on an unknown path that caches may keep",
    {
      ...read,
      path: "/v2/x",
      status: 404,
      headers: without("cache-control"),
      body: { ...notFound, code: "not_found" },
    },
  ],
  ["an answer whose type may be guessed", { ...read, headers: without("x-content-type-options") }],
  ["another media type", { ...read, headers: { ...headers, "content-type": "text/plain" } }],
  ["HEAD with a body", { ...read, method: "HEAD" }],
  ["success on an unknown path", { ...read, path: "/v2/x" }],
  ["success with a wrong method", { ...read, method: "DELETE" }],
  [
    "a wrong method without Allow",
    { ...read, method: "DELETE", status: 405, body: { ...notFound, code: "method_not_allowed" } },
  ],
];

for (const [name, answered] of kept) {
  test(`in the contract: ${name}`, () => assert.doesNotThrow(() => assertInContract(answered)));
}

for (const [name, answered] of broken) {
  test(`out of it: ${name}`, () => assert.throws(() => assertInContract(answered), assert.AssertionError));
}
