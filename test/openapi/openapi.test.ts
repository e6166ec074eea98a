import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { adminOpenapiDocument, openapiDocument, operations, routes } from "../../src/api/operations.ts";
import { dashboardOpenapiDocument, dashboardRoutes } from "../../src/dashboard-api/operations.ts";
import { codeStatuses, madeByApi } from "../../src/domain/documents.ts";
import { type ErrorCode, errors } from "../../src/domain/errors.ts";
import { bodyBytesMax, labelCharsMax, redirectRulesMax, scanLimitMax } from "../../src/limits.ts";
import type { OpenapiDocument } from "../../src/openapi/document.ts";
import { errorsOf } from "../../src/openapi/operation.ts";
import { apiVersion } from "../../src/schema/api-version.ts";
import { assertFits } from "../support/contract.ts";
import { temporaryFolder } from "../support/endings.ts";

const document = openapiDocument("https://qr.test");
const admin = adminOpenapiDocument("https://qr.test");
const documents = { public: document, admin, dashboard: dashboardOpenapiDocument("https://qr.test") };

function operationsOf({ paths }: OpenapiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path,
      method,
      operation,
    })),
  );
}

test("all operations of the specification are there", () => {
  const names = operationsOf(document).map(({ name }) => name);
  for (const name of [
    "get /v1/projects",
    "post /v1/projects",
    "get /v1/qr-codes",
    "post /v1/qr-codes",
    "get /v1/qr-codes/{id}",
    "patch /v1/qr-codes/{id}",
    "get /v1/qr-codes/find",
    "get /v1/qr-codes/by-slug",
    "get /{slug}",
    "head /{slug}",
    "get /files/{qr_id}/{file}",
    "get /healthz",
    "get /readyz",
    "get /openapi.json",
    "get /docs",
  ]) {
    assert.ok(names.includes(name), name);
  }
});

test("the documents and the table of routes have the same operations, open to the same callers", () => {
  const anonymous = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, "*");
  const access = {
    ...{ key: "ApiKey", admin: "AdminToken", metrics: "MetricsToken", anyone: "none" },
    ...{ user: "Session", owner: "Session", operator: "Session", page: "none" },
  };
  const pages = new Set(["/dashboard", "/dashboard/*"]);
  const inDocuments = [...routes, ...dashboardRoutes].filter(({ path }) => !pages.has(path));
  const served = inDocuments.map(
    (route) => `${route.method} ${anonymous(route.path)} ${access[route.access]}`,
  );
  const scans = ["GET /* none", "HEAD /* none"];
  const documented = Object.values(documents).flatMap((each) =>
    operationsOf(each).map(({ method, path, operation }) => {
      const scheme = Object.keys(operation.security[0] ?? { none: [] })[0];
      return `${method.toUpperCase()} ${anonymous(path)} ${scheme}`;
    }),
  );
  assert.deepEqual(documented.sort(), [...served, ...scans].sort());
});

test("every error of the table is documented with its status, its message and no other", () => {
  const seen = new Set<string>(["method_not_allowed"]);
  for (const each of Object.values(documents)) {
    for (const { name, method, operation } of operationsOf(each)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || method === "head") continue;
        const content = response.content?.["application/json"];
        const codes = content?.schema.allOf?.[1]?.properties?.code?.enum as ErrorCode[];
        assert.ok(codes.length > 0, `${name} ${status}`);
        for (const code of codes) {
          seen.add(code);
          assert.equal(errors[code].status, Number(status), `${name} ${code}`);
          const example = content?.examples?.[code]?.value;
          assertFits({ $ref: "#/components/schemas/ErrorAnswer" }, example, `${name} ${code}`);
        }
      }
    }
  }
  assert.deepEqual([...seen].sort(), Object.keys(errors).sort());
});

test("each operation documents exactly the errors of its row", () => {
  const written = new Map(
    Object.values(documents).flatMap((each) =>
      operationsOf(each).map(({ name, operation }) => [name, operation]),
    ),
  );
  const rows = [...operations, ...dashboardRoutes.filter(({ path }) => path.startsWith("/dashboard/api/"))];
  for (const row of rows) {
    const name = `${row.method.toLowerCase()} ${row.path}`;
    const statuses = Object.keys(written.get(name)!.responses).filter((status) => Number(status) >= 400);
    const expected = new Set(errorsOf(row).map((code) => String(errors[code].status)));
    assert.deepEqual(statuses.sort(), [...expected].sort(), row.id);
  }
});

test("the code of an error is any of the table, and of nothing else", () => {
  const code = document.components.schemas.ErrorAnswer?.properties?.code?.enum;
  assert.deepEqual([...(code ?? [])].sort(), Object.keys(errors).sort());
});

test("examples of requests and answers are what their schemas say", () => {
  let checked = 0;
  for (const each of Object.values(documents)) {
    for (const { name, operation } of operationsOf(each)) {
      for (const content of Object.values(operation.requestBody?.content ?? {})) {
        for (const [key, example] of Object.entries(content.examples)) {
          assertFits(content.schema, example.value, `${name} ${key}`);
          checked++;
        }
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        for (const content of Object.values(response.content ?? {})) {
          if (content.example === undefined) continue;
          assertFits(content.schema, content.example, `${name} ${status}`);
          checked++;
        }
      }
    }
  }
  assert.ok(checked >= 20, `${checked} examples`);
});

test("limits and values are those that the code enforces", () => {
  const schemas = document.components.schemas;
  const create = schemas.CreateCodeBody!.properties!;
  assert.equal(create.name?.maxLength, labelCharsMax);
  assert.equal(create.redirect_rules?.maxItems, redirectRulesMax);
  assert.equal(create.scan_limit?.maximum, scanLimitMax);
  assert.deepEqual(create.type?.enum, [...madeByApi, null]);
  assert.deepEqual(schemas.CodeAnswer!.properties!.status?.enum, codeStatuses);
  assert.equal(document.info.version, apiVersion);
  assert.ok(JSON.stringify(document).length < 8 * bodyBytesMax);
});

test("descriptions of fields reach the document, and nothing of the inside does", () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.doesNotMatch(JSON.stringify(schema), /\.ts\b|typia/, name);
  }
  assert.match(
    document.components.schemas.CodeAnswer!.properties!.destination_url!.description!,
    /matches no rule/,
  );
});

test("an answer has a schema only where the public document refers to it", () => {
  assert.equal(document.components.schemas.AccountAnswer, undefined);
  assert.equal(admin.components.schemas.CodeListAnswer, undefined);
});

test("redocly finds no error and nothing to warn of", async () => {
  const folder = temporaryFolder();
  const files = Object.entries(documents).map(([name, each]) => {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(each));
    return `${name}.json`;
  });
  const cli = join(
    dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")),
    "bin/cli.js",
  );
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    CI: "true",
  };
  const args = [cli, "lint", "--format=json", ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  assert.match(stdout, /"totals":\s*\{\s*"errors": 0,\s*"warnings": 0/);
  assert.doesNotMatch(stdout, /"(errors|warnings)": [1-9]/);
});
