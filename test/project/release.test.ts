/** A packed release, in an empty folder with nothing installed but what it depends on: it starts, serves and is administered. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { Client } from "../support/client.ts";
import { temporaryFolder } from "../support/endings.ts";
import { engineEnv } from "../support/engine.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = temporaryFolder();
const modules = join(folder, "node_modules");
const release = join(modules, "qrelay");
const program = join(release, manifest.bin.qrelay);

const pack = ["pack", "--json", "--pack-destination", folder];
const { stdout } = await execute("npm", pack, { cwd: root, maxBuffer: 2 ** 24 });
// What the scripts of the project say comes before.
const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as [
  { filename: string; files: { path: string }[] },
];
const packed = files.map(({ path }) => path);
await mkdir(modules);
await execute("tar", ["-xzf", filename], { cwd: folder });
await rename(join(folder, "package"), release);
await installProduction();

/** As an installation without the development dependencies does, from what is installed here. */
async function installProduction(): Promise<void> {
  for (const [path, { dev }] of Object.entries(lock.packages as Record<string, { dev?: boolean }>)) {
    const isNested = path.lastIndexOf("node_modules/") > 0;
    if (path === "" || dev || isNested || !existsSync(join(root, path))) continue;
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
}

function qrelay(...args: string[]): Promise<{ stdout: string }> {
  return execute(process.execPath, [program, ...args], { cwd: folder, env: { PATH: process.env.PATH } });
}

test("it has the bundle, the pages, the licence and the README, and nothing else", async () => {
  const isBundle = (path: string) => /^dist\/[\w-]+\.js(\.map)?$/.test(path);
  const isOfPages = (path: string) => /^dist\/dashboard\/[\w-]+-[0-9A-Z]{8}\.(js|css|svg)$/.test(path);
  const rest = packed.filter((path) => !isBundle(path) && !isOfPages(path));
  assert.deepEqual(rest.sort(), ["LICENSE", "README.md", "dist/dashboard/index.html", "package.json"]);
  assert.ok(packed.some(isOfPages));
  assert.match(await readFile(program, "utf8"), /^#!\/usr\/bin\/env node\n/);
});

test("compilers and loaders are not among what it depends on", () => {
  for (const name of ["typescript", "typia", "esbuild", "tsx"]) {
    assert.ok(name in manifest.devDependencies, name);
    assert.equal(existsSync(join(modules, name)), false, name);
  }
});

test("it tells its version and its commands", async () => {
  assert.equal((await qrelay("--version")).stdout, `qrelay ${manifest.version}\n`);
  assert.match((await qrelay("--help")).stdout, /^ {2}start$/m);
  assert.match((await qrelay("admin", "--help")).stdout, /^ {2}key create ACCOUNT/m);
});

test("it starts, draws, counts, shows its documents, and answers its operator", {
  timeout: 120_000,
}, async () => {
  const service = spawn(process.execPath, [program, "start"], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "warn", RENDER_THREADS: "1", ...engineEnv },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => service.once("exit", resolve));
  try {
    const output = await new Promise<string>((resolve, reject) => {
      let said = "";
      service.stdout.on("data", (chunk) => {
        said += chunk;
        if (/^qrelay listening on /m.test(said)) resolve(said);
      });
      void exited.then(() => reject(new Error(`it ended: ${said}`)));
    });
    const url = /^qrelay listening on (\S+)$/m.exec(output)![1]!;
    const api = new Client(url, { "x-api-key": /api_live_\w+/.exec(output)![0] });
    const { slug } = await api.createRendered();
    await api.get(`/${slug}`, 302);
    for (const path of ["/openapi.json", "/docs"]) assert.equal((await fetch(url + path)).status, 200, path);
    const { stdout } = await qrelay("admin", "account", "list", "--url", url);
    assert.match(stdout, /^account_id .*\nacc_\w+ /);
  } finally {
    service.kill("SIGTERM");
    assert.equal(await exited, 0);
  }
});
