/** The first view is there within a second on a processor that is four times slower than this one. */
import assert from "node:assert/strict";
import { availableParallelism, loadavg } from "node:os";
import { test } from "node:test";
import { noBrowser } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const firstViewMsMax = 1_000;
const slower = 4;
/** The best of a few: other tests run beside this one. */
const attempts = 5;
/** Processes that wait for each processor; this test and the one beside it are one or two. */
const busyLoad = 1.5;

let dashboard: Dashboard;

if (noBrowser === false) dashboard = await startDashboard();

test("from an empty cache to the heading and the figures", { skip: noBrowser }, async (t) => {
  const took: number[] = [];
  while (took.length < attempts && Math.min(...took) > firstViewMsMax / 2) {
    const visit = await dashboard.visitAs("member");
    const session = await visit.page.context().newCDPSession(visit.page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const begun = performance.now();
    await visit.page.goto(`${dashboard.url}/dashboard`, { waitUntil: "commit" });
    await visit.page.getByRole("meter").first().waitFor();
    took.push(performance.now() - begun);
    await visit.end();
  }
  const best = Math.min(...took);
  const load = loadavg()[0]! / availableParallelism();
  if (best >= firstViewMsMax && load > busyLoad) {
    t.skip("the machine has too much else to do for a measurement of time");
    return;
  }
  assert.ok(best < firstViewMsMax, `${took.map((ms) => ms.toFixed(0)).join(", ")} ms`);
});
