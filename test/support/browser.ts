/** Debian's Chromium, driven by playwright-core. Where there is none, tests that need it are left out and say so. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { endsWithTest } from "./endings.ts";
import { needs, searchPath } from "./needs.ts";

/** For the `skip` of a test. */
export const noBrowser = needs("chromium");

/** Ends by itself with the test, or the file, that launched it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = searchPath
    .split(":")
    .map((folder) => join(folder, "chromium"))
    .find((file) => existsSync(file));
  if (executablePath === undefined) throw new Error("no chromium on the PATH");
  // In a container there are no namespaces to make a sandbox of; the pages are our own.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  endsWithTest(() => browser.close());
  return browser;
}
