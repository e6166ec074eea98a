/**
 * Programs of the project and all that they import, compiled once for a run that starts many of them: the test files,
 * the servers of the bench. Through a loader of TypeScript every process reads and resolves hundreds of files by itself,
 * which takes longer than most tests do; what is compiled shares its parts and starts in half of the time. The service
 * is in it as it is in a release: bundled, with its worker and the dashboard beside it. Everything else still finds its
 * neighbours where its source is.
 *
 * Rejected: several test files in one process. What one leaves behind (an environment, a clock, a server that ends
 * with its file) would be there for the next.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, transform } from "esbuild";

export interface Compiled {
  /** What to run for a program; both are whole paths. */
  fileOf(source: string): string;
  remove(): void;
}

/** What a process that runs compiled files is started with: failures tell the lines of the sources. */
export const compiledArguments: readonly string[] = ["--enable-source-maps"];

/** Inside the project, where the packages are found. */
const place = ".tmp";
const folderName = /^compiled-(\d+)-/;

export async function compile(root: string, sources: readonly string[]): Promise<Compiled> {
  removeForgotten(root);
  const folder = mkdtempSync(join(root, place, `compiled-${process.pid}-`));
  // All in one folder: the service looks for its worker and the dashboard beside the file that it is in.
  const nameOf = (source: string) =>
    relative(root, source).replaceAll("/", "+").slice(0, -extname(source).length);
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...sources.map((source) => ({ in: source, out: nameOf(source) })),
      { in: "workers/render-worker.ts", out: "render-worker" },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    plugins: [ownAddresses(root)],
  });
  symlinkSync(join(root, "dist/dashboard"), join(folder, "dashboard"));
  return {
    fileOf: (source) => join(folder, `${nameOf(source)}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Tests, scripts and benches name files beside their own; the service names those beside its bundle. */
const ownAddresses = (root: string): Plugin => ({
  name: "own addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const isService = /^(src|workers)\//.test(relative(root, path));
      if (isService || !source.includes("import.meta.")) return { contents: source, loader: "ts" };
      const { code } = await transform(source, {
        loader: "ts",
        sourcefile: path,
        sourcemap: "inline",
        define: {
          "import.meta.url": JSON.stringify(pathToFileURL(path).href),
          "import.meta.filename": JSON.stringify(path),
        },
      });
      return { contents: code, loader: "js" };
    });
  },
});

/** What was left by runs that were killed. */
function removeForgotten(root: string): void {
  mkdirSync(join(root, place), { recursive: true });
  for (const name of readdirSync(join(root, place))) {
    const process = folderName.exec(name)?.[1];
    if (process !== undefined && !isRunning(Number(process)))
      rmSync(join(root, place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
