/**
 * A client generated from the served document runs the whole life of a project and a code.
 *
 * The program below is written beside the generated types, checked by the compiler against them, and then run:
 * a field that the document calls otherwise than the service does not compile or does not work.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { tsImport } from "tsx/esm/api";
import { assertInContract } from "../support/contract.ts";
import { startServer } from "../support/server.ts";

const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

type Code = components["schemas"]["CodeAnswer"];

function expect<T>(actual: T, expected: T, what: string): void {
  if (actual !== expected) throw new Error(\`\${what}: \${String(actual)}, not \${String(expected)}\`);
}

export async function life(baseUrl: string, key: string, fetch: typeof globalThis.fetch): Promise<string[]> {
  const api = createClient<paths>({ baseUrl, fetch, headers: { "x-api-key": key } });
  const steps: string[] = [];

  const project = await api.POST("/v1/projects", { body: { name: "Life", set_as_default: true } });
  if (!project.data) throw new Error(project.error.message);
  expect(project.data.is_default, true, "is_default");
  steps.push("project created");

  const projects = await api.GET("/v1/projects", { params: { query: { page_size: 1 } } });
  expect(projects.data?.items[0]?.project_id, project.data.project_id, "newest project");
  steps.push("project listed");

  // @ts-expect-error a number is no URL: the types are really those of the document
  const wrong = await api.POST("/v1/qr-codes", { body: { redirect_url: 5 } });
  expect(wrong.error?.code, "invalid_request", "code of the refusal");
  steps.push("mistake refused");

  const created = await api.POST("/v1/qr-codes", {
    params: { header: { "Idempotency-Key": "life-1" } },
    body: {
      name: "Poster",
      redirect_url: "https://example.com/spring",
      redirect_rules: [
        { condition: "device", value: "ios", condition2: "country", value2: "DE", url: "https://example.com/ios" },
      ],
      scan_limit: 10,
      qr_render_metadata: { dot_style: "rounded", foreground_color: "#123" },
    },
  });
  if (!created.data) throw new Error(created.error.message);
  expect(created.data.project_id, project.data.project_id, "default project");
  expect(created.data.slug, null, "slug before the first render");
  steps.push("code created");

  const id = created.data.qr_id;
  let code: Code | typeof created.data = created.data;
  for (let tries = 0; code.render_status !== "done" && tries < 500; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const read = await api.GET("/v1/qr-codes/{id}", { params: { path: { id } } });
    if (!read.data) throw new Error(read.error.message);
    code = read.data;
  }
  expect(code.render_status, "done", "render_status");
  const slug = code.slug;
  if (slug === null || code.file_url_svg === null || code.file_url_png === null) throw new Error("no files");
  expect(code.qr_render_metadata.dot_style, "rounded", "dot_style");
  steps.push("code rendered");

  const scan = await fetch(new Request(\`\${baseUrl}/\${slug}\`, { redirect: "manual" }));
  expect(scan.status, 302, "status of a scan");
  expect(scan.headers.get("location"), "https://example.com/spring", "destination");
  steps.push("link scanned");

  for (const path of ["/v1/qr-codes/find", "/v1/qr-codes/by-slug"] as const) {
    const found = await api.GET(path, { params: { query: { slug } } });
    expect(found.data?.qr_id, id, path);
    expect(found.data?.scan_count, 1, "scan_count");
  }
  steps.push("code found by slug");

  const changed = await api.PATCH("/v1/qr-codes/{id}", {
    params: { path: { id } },
    body: { label: "Flyer", redirect_url: "https://example.com/summer", redirect_rules: null, scan_limit: null },
  });
  expect(changed.data?.label, "Flyer", "label");
  expect(changed.data?.scan_limit, null, "scan_limit");
  steps.push("code changed");

  const archived = await api.PATCH("/v1/qr-codes/{id}", { params: { path: { id } }, body: { status: "archived" } });
  expect(archived.data?.status, "archived", "status");
  const gone = await api.GET("/v1/qr-codes/{id}", { params: { path: { id } } });
  expect(gone.error?.code, "qr_not_found", "an archived code");
  const kept = await api.GET("/v1/qr-codes", {
    params: { query: { status: ["archived"], project_id: project.data.project_id, label_contains: "fly" } },
  });
  expect(kept.data?.items[0]?.qr_id, id, "archived codes of the project");
  steps.push("code archived");

  const back = await api.PATCH("/v1/qr-codes/{id}", { params: { path: { id } }, body: { status: "active" } });
  expect(back.data?.status, "active", "status");
  steps.push("code reactivated");
  return steps;
}
`;

const project = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const server = await startServer();
// Inside the project, so that the program finds the packages it imports.
mkdirSync(join(project, ".tmp"), { recursive: true });
const folder = mkdtempSync(join(project, ".tmp/generated-client-"));
const document = await (await fetch(`${server.url}/openapi.json`)).json();
writeFileSync(join(folder, "api.ts"), astToString(await openapiTS(document as OpenAPI3)));
writeFileSync(join(folder, "life.ts"), program);
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    extends: join(project, "tsconfig.json"),
    compilerOptions: { lib: ["ES2023", "DOM"] },
    include: ["."],
  }),
);
after(() => rmSync(folder, { recursive: true, force: true }));

test("the client's program has the types of the document", async () => {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const checked = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error) => error);
  assert.equal(checked.stdout, "");
});

test("the client runs the life of a project and a code", async () => {
  const checkedFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    const { status, headers } = response;
    const body = await response.clone().text();
    assertInContract({ method: request.method, path: new URL(request.url).pathname, status, headers, body });
    return response;
  };
  const { life }: { life(url: string, key: string, fetcher: typeof fetch): Promise<string[]> } =
    await tsImport(join(folder, "life.ts"), import.meta.url);
  assert.deepEqual(await life(server.url, server.key, checkedFetch), [
    "project created",
    "project listed",
    "mistake refused",
    "code created",
    "code rendered",
    "link scanned",
    "code found by slug",
    "code changed",
    "code archived",
    "code reactivated",
  ]);
});
