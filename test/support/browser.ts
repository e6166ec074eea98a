/** Debian's Chromium, driven by playwright-core. Where there is none, tests that need it are left out and say so. */

import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "../../scripts/testing/chromium.ts";
import { endsWithTest } from "./endings.ts";
import { needs } from "./needs.ts";

/** For the `skip` of a test. */
export const noBrowser = needs("chromium");

/** Ends by itself with the test, or the file, that launched it. */
export async function launchBrowser(): Promise<Browser> {
  // In a container there are no namespaces to make a sandbox of; the pages are our own.
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
  endsWithTest(() => browser.close());
  return browser;
}
