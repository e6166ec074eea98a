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
    plugins: [worldOutlinePlugin()],
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
    // The relations between bounds are asked when the service starts; a page has no use for the question.
    pure: ["must"],
    logLevel: "warning",
  });
  /** @param {string} source */
  const madeOf = (source) => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source));
    if (found === undefined) throw new Error(`the bundle has no ${source}`);
    const imports = found[1].imports.filter(({ kind }) => kind === "import-statement");
    return { path: found[0], cssBundle: found[1].cssBundle, imports: imports.map(({ path }) => path) };
  };
  const main = madeOf("/main.tsx");
  const start = madeOf("/overview.tsx");
  /** @param {string | undefined} path */
  const address = (path) => served + basename(path ?? "");
  // What these import would otherwise be asked for only when they have arrived, and the screen that most begin with only
  // when the entry has run.
  const preloads = [...new Set([...main.imports, start.path, ...start.imports])].map(
    (path) => `<link rel="modulepreload" href="${address(path)}">`,
  );
  const page = readFileSync(join(root, "src/dashboard/index.html"), "utf8")
    .replace("<!-- preloads -->", preloads.join(""))
    .replace("main.css", address(main.cssBundle))
    .replace("main.js", address(main.path));
  return [...outputFiles, { path: join(folder, "index.html"), contents: page }];
}
