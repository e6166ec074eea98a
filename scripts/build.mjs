/**
 * Bundles the service into `dist`, unless what is there was made from just these sources.
 *
 * Every start asks, in its own process and before it loads the bundle, so asking is cheap: this file is plain
 * JavaScript, since a loader for TypeScript takes longer to load than everything here takes to run, and esbuild is
 * loaded when there is something to build. Contents are compared and not times: a copied or restored file can be new
 * and look old, and reading all of them takes milliseconds. The fingerprint is of what was there before the bundle was
 * made, and written last: a source that changes meanwhile, or a build that dies half-way, means that the next one
 * builds again.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
/** A command: a symbolic link to it is all that its installation takes. */
const entryFile = "main.js";
const fingerprintFile = "fingerprint";
const inputs = [
  "src",
  "workers",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "scripts/build.mjs",
  "scripts/dashboard/bundle.mjs",
  "scripts/dashboard/world-outline.mjs",
];

if (!isFresh()) await build();

function isFresh() {
  const file = join(dist, fingerprintFile);
  try {
    return existsSync(file) && readFileSync(file, "utf8") === fingerprintOn(hashOf(inputs));
  } catch {
    // Another process builds just now, and took a file away.
    return false;
  }
}

/** @param {string} sources */
function fingerprintOn(sources) {
  return `sources ${sources}\nbundle ${hashOf(["dist"])}\n`;
}

async function build() {
  const begun = performance.now();
  generate();
  const sources = hashOf(inputs);
  const { build: bundle, stop } = await import("esbuild");
  const { dashboardFiles } = await import("./dashboard/bundle.mjs");
  const { outputFiles: ofService } = await bundle({
    absWorkingDir: root,
    entryPoints: { main: "src/main.ts", "render-worker": "workers/render-worker.ts" },
    outdir: "dist",
    write: false,
    bundle: true,
    splitting: true,
    // What a release installs stays a package; what only the sources need, as typia does, is in the bundle.
    external: Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies),
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    logLevel: "warning",
  });
  const made = [...ofService, ...(await dashboardFiles(root, join(dist, "dashboard")))];
  const folders = new Set([join(root, ".tmp"), ...made.map(({ path }) => dirname(path))]);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  rmSync(join(dist, fingerprintFile), { force: true });
  for (const { path, contents } of made) replace(path, contents);
  const wanted = new Set(made.map(({ path }) => relative(root, path)));
  for (const path of filesAt("dist")) if (!wanted.has(path)) rmSync(join(root, path), { force: true });
  replace(join(dist, fingerprintFile), fingerprintOn(sources));
  // The service may go on in this process, and has no use for that of esbuild.
  await stop();
  // Not to standard output, which is that of the command this one runs before.
  console.error(`built dist in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

function generate() {
  const args = ["--import", "tsx", "scripts/generate.ts"];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

/**
 * Whoever runs the old file keeps it whole.
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
function replace(path, contents) {
  const fresh = join(root, ".tmp", `${basename(path)}.${process.pid}`);
  writeFileSync(fresh, contents, { mode: basename(path) === entryFile ? 0o755 : 0o644 });
  renameSync(fresh, path);
}

/** @param {readonly string[]} paths */
function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesAt)) {
    const contents = readFileSync(join(root, path));
    hash.update(`${path}\0${contents.length}\0`).update(contents);
  }
  return hash.digest("hex");
}

/** @param {string} path of a file, or of a folder with files; the fingerprint is none of what it is made of */
function filesAt(path) {
  if (extname(path) !== "") return [path];
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== fingerprintFile)
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
