/**
 * The pages of the dashboard, bundled for browsers. Every file but the first page carries a hash of its content in its
 * name, so browsers may keep it for ever; the first page names those of one build and is asked for each time.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { worldOutlinePlugin } from "./world-outline.mjs";

const served = "/dashboard/";

/**
 * @param {string} root of the project
 * @param {string} folder that the files are for; nothing is written
 * @returns {Promise<{ path: string, contents: string | Uint8Array }[]>}
 */
export async function dashboardFiles(root, folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/dashboard/main.tsx"],
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: served,
    loader: { ".svg": "file" },
    plugins: [worldOutlinePlugin(), boundsAlonePlugin()],
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    splitting: true,
    platform: "browser",
    format: "esm",
    target: ["es2022", "chrome111", "firefox113", "safari16.4"],
    legalComments: "eof",
    // Without the package's own ways to draw.
    alias: { qrcode: "qrcode/lib/core/qrcode.js" },
    logLevel: "warning",
  });
  const main = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith("/main.tsx"),
  );
  if (main === undefined) throw new Error("the bundle has no entry");
  const [script, { cssBundle, imports }] = main;
  /** @param {string | undefined} path */
  const address = (path) => served + basename(path ?? "");
  // What the entry imports would otherwise be asked for only when the entry has arrived.
  const preloads = imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `<link rel="modulepreload" href="${address(path)}">`);
  const page = readFileSync(join(root, "src/dashboard/index.html"), "utf8")
    .replace("<!-- preloads -->", preloads.join(""))
    .replace("main.css", address(cssBundle))
    .replace("main.js", address(script));
  return [...outputFiles, { path: join(folder, "index.html"), contents: page }];
}

/**
 * Bounds without the relations that they stand in: those are looked at when the service starts, and with them all bounds
 * of the service would be in the pages.
 * @returns {import("esbuild").Plugin}
 */
function boundsAlonePlugin() {
  return {
    name: "bounds-alone",
    setup(build) {
      build.onLoad({ filter: /[/\\]src[/\\]limits\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, "utf8").replaceAll(/^must\([\s\S]*?\);$/gm, ""),
        loader: "ts",
      }));
    },
  };
}
