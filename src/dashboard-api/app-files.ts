/**
 * The dashboard's pages: `/dashboard` with every address that the app has below it, and the files that it is made of.
 *
 * They are in a folder beside the bundle, made by the build with names that change with their content: so a browser may
 * keep them for good, and the page that names them is never kept. What the folder holds is read once. A path is only
 * ever compared with the names in it, so no path leads out of it. Without a build there is nothing to show, and that is
 * said.
 */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { get, type Operation } from "../api/operation.ts";
import { ApiError } from "../domain/errors.ts";
import type { Call } from "../door/route.ts";
import type { Reply } from "../http/reply.ts";
import { htmlType } from "../http/small-page.ts";
import { StaticAnswer, type StaticContent } from "../http/static-answer.ts";
import { staticAnswers } from "../openapi/operation.ts";

export const dashboardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'";

const pageFile = "index.html";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

const pageHeaders: StaticContent["headers"] = [
  ["cache-control", "no-store"],
  ["content-security-policy", dashboardPolicy],
  ["referrer-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
];
const fileHeaders: StaticContent["headers"] = [["cache-control", "public, max-age=31536000, immutable"]];

/** The files of an app by name; the page is among them. */
export class AppFiles {
  readonly #folder: string;
  #answers: Promise<ReadonlyMap<string, StaticAnswer>> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async page({ exchange }: Call): Promise<Reply> {
    const page = (await this.#all()).get(pageFile);
    if (page === undefined)
      throw new ApiError("not_found", "The dashboard was not built: run npm run build.");
    return page.reply(exchange);
  }

  /** A name with a dot is a file's; anything else is an address of the app. */
  async below(call: Call): Promise<Reply> {
    const path = call.exchange.path.slice("/dashboard/".length);
    if (path.startsWith("api/")) throw new ApiError("not_found");
    if (!path.slice(path.lastIndexOf("/") + 1).includes(".")) return this.page(call);
    const file = path === pageFile ? undefined : (await this.#all()).get(path);
    if (file === undefined) throw new ApiError("not_found");
    return file.reply(call.exchange);
  }

  #all(): Promise<ReadonlyMap<string, StaticAnswer>> {
    this.#answers ??= this.#read().catch((cause: NodeJS.ErrnoException) => {
      this.#answers = null;
      if (cause.code === "ENOENT") return new Map();
      throw cause;
    });
    return this.#answers;
  }

  async #read(): Promise<ReadonlyMap<string, StaticAnswer>> {
    const answers = new Map<string, StaticAnswer>();
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const contentType = name === pageFile ? htmlType : types[extname(name)];
      if (contentType === undefined) continue;
      const headers = name === pageFile ? pageHeaders : fileHeaders;
      answers.set(
        name,
        new StaticAnswer(async () => ({ contentType, bytes: await readFile(path), headers })),
      );
    }
    return answers;
  }
}

/** Beside the bundle, or in `dist` when the sources run as they are. */
function builtFolder(): string {
  const here = new URL(".", import.meta.url);
  const isBundle = !here.pathname.endsWith("/src/dashboard-api/");
  return fileURLToPath(new URL(isBundle ? "dashboard/" : "../../dist/dashboard/", here));
}

const app = new AppFiles(builtFolder());

export const appOperations: readonly Operation<object>[] = [
  {
    id: "getDashboard",
    ...get("/dashboard"),
    tag: "Pages",
    summary: "The dashboard",
    access: "anyone",
    handler: (call) => app.page(call),
    answers: staticAnswers("HTML.", "text/html", { "Cache-Control": "NoStore" }),
    errors: ["not_found"],
  },
  {
    id: "getDashboardFile",
    ...get("/dashboard/*"),
    tag: "Pages",
    summary: "An address of the dashboard, or a file of it",
    access: "anyone",
    handler: (call) => app.below(call),
    answers: staticAnswers("HTML.", "text/html", {}),
    errors: ["not_found"],
  },
];
