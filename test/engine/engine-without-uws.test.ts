/** Which engine serves, and that the service starts where uWebSockets.js cannot be had. */
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { chooseEngine } from "../../src/engine/choose.ts";
import { Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";

const folder = temporaryFolder();

/** For a process: whoever asks for the package is told that there is none. */
const hidden = `--import=data:text/javascript,${encodeURIComponent(`
  import Module from "node:module";
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (name, ...others) {
    if (name.startsWith("uWebSockets.js")) throw new Error("Cannot find module '" + name + "'");
    return resolve.call(this, name, ...others);
  };`)}`;

test("without uWebSockets.js: the first code, its image, its scan, and everybody is told the engine", async () => {
  const service = spawnService({
    PORT: "0",
    DATA_DIR: join(folder, "first"),
    HTTP_ENGINE: "auto",
    METRICS: "open",
    NODE_OPTIONS: hidden,
  });
  const url = await service.ready();
  const key = /api_live_\w+/.exec(service.output())![0];
  const api = new Client(url, { "x-api-key": key });
  const code = await api.createRendered({ redirect_url: "https://example.com/anywhere" });
  const image = await fetch(`${url}${new URL(code.file_url_svg).pathname}`);
  assert.equal(image.status, 200);
  assert.match(await image.text(), /^<svg/);
  const scan = await fetch(`${url}/${code.slug}`, { redirect: "manual" });
  assert.equal(scan.status, 302);
  assert.equal(scan.headers.get("location"), "https://example.com/anywhere");
  assert.equal((await api.get(`/v1/qr-codes/${code.qr_id}`, 200)).body.scan_count, 1);

  assert.equal((await api.get("/readyz", 200)).body.engine, "node");
  assert.match(await (await fetch(`${url}/metrics`)).text(), /^qrelay_http_engine\{engine="node"\} 1$/m);
  const line = service
    .output()
    .split("\n")
    .find((each) => each.includes('"HTTP engine"'))!;
  const { engine, reason } = JSON.parse(line);
  assert.equal(engine, "node");
  assert.match(reason, /^uWebSockets\.js\S* has no build that loads on Node\.js \S+ \(\w+, \w+\)$/);
  service.child.kill("SIGTERM");
  assert.deepEqual(await service.exited, { code: 0, signal: null });
});

test("HTTP_ENGINE=uws without uWebSockets.js ends the start with one line", async () => {
  const service = spawnService({
    PORT: "0",
    DATA_DIR: join(folder, "second"),
    HTTP_ENGINE: "uws",
    NODE_OPTIONS: hidden,
  });
  assert.deepEqual(await service.exited, { code: 1, signal: null });
  assert.match(service.errors(), /^qrelay: HTTP_ENGINE=uws cannot be had: [^\n]+\n$/);
});

test("HTTP_ENGINE=node is node, whatever loads", () => {
  const { engine, reason } = chooseEngine("node");
  assert.equal(engine.name, "node");
  assert.equal(reason, "HTTP_ENGINE=node");
});
