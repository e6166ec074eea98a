/** Debian's Chromium, driven by playwright-core. Where there is none, tests that need it are left out and say so. */
import { test } from "node:test";
import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "../../../scripts/testing/chromium.ts";
import { endsWithTest } from "../endings.ts";
import { needs } from "../needs.ts";

/** For the `skip` of a test. */
export const noBrowser = needs("chromium");

export function inBrowser(name: string, run: () => Promise<void>): void {
  test(name, { skip: noBrowser }, run);
}

/**
 * What Chromium is to do without. Its address bar is a page of its own, made anew with every window: as much work as a
 * page of ours, and nobody sees it. The others are those of playwright-core that are about us: of several such
 * arguments Chromium takes the last.
 */
const withoutFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
  ...["AimEnabled", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PreconnectToSearch"],
  ...["DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "PaintHolding"],
];

/** In a container there are no namespaces to make a sandbox of, and no graphics card; the pages are our own. */
export const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  `--disable-features=${withoutFeatures.join(",")}`,
];

/** Ends by itself with the test, or the file, that launched it. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: browserArguments });
  endsWithTest(() => browser.close());
  return browser;
}
