/**
 * The first view, from an empty cache: by the processor time that the page's thread takes, which other work on the machine
 * does not lengthen, and by the clock with the browser slowed down four times.
 *
 * What it takes is told. Wanted is a second on the slowed processor; what is held here is far above that, because machines
 * differ and a test is no measurement.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { noBrowser } from "../support/pages/browser.ts";
import { type Dashboard, startDashboard } from "../support/pages/dashboard.ts";

const processorMsMax = 1_000;
const clockMsMax = 10_000;
const slower = 4;
/** The best of a few: other tests run beside this one. */
const attempts = 5;

let dashboard: Dashboard;
if (noBrowser === false) dashboard = await startDashboard();

/** The least that an attempt took, in milliseconds. */
async function best(measure: (page: Page, session: CDPSession) => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const visit = await dashboard.visitAs("member");
    const session = await visit.page.context().newCDPSession(visit.page);
    least = Math.min(least, await measure(visit.page, session));
    await visit.end();
  }
  return least;
}

/** From an empty cache to the heading and the figures of the overview. */
async function view(page: Page): Promise<void> {
  await page.goto(`${dashboard.url}/dashboard`, { waitUntil: "commit" });
  await page.locator("h1 >> nth=0").waitFor();
  await page.locator(".meter >> nth=0").waitFor();
}

test("by processor time", { skip: noBrowser }, async (t) => {
  const took = await best(async (page, session) => {
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await view(page);
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value * 1_000;
  });
  t.diagnostic(`${took.toFixed(0)} ms of the processor`);
  assert.ok(took < processorMsMax, `${took.toFixed(0)} ms`);
});

test("by the clock, four times slower", { skip: noBrowser }, async (t) => {
  const took = await best(async (page, session) => {
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const begun = performance.now();
    await view(page);
    return performance.now() - begun;
  });
  t.diagnostic(`${took.toFixed(0)} ms`);
  assert.ok(took < clockMsMax, `${took.toFixed(0)} ms`);
});
