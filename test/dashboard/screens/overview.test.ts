/** The first screen: figures of scans that are those of the service, the codes scanned most, what is used of the plan. */
import assert from "node:assert/strict";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { inBrowser, noBrowser } from "../../support/pages/browser.ts";
import { type Dashboard, startDashboard, until, type Visit } from "../../support/pages/dashboard.ts";
import { scan, scansSaved } from "../../support/scanning.ts";
import type { TestAccount } from "../../support/server.ts";

const dayMs = 24 * 3_600_000;
// Tuesday, 15 January 2030, 12:00 UTC.
const clock = new ManualClock();
let dashboard: Dashboard;
let account: TestAccount;

if (noBrowser === false) {
  dashboard = await startDashboard({ clock });
  const { server } = dashboard;
  account = await server.newAccount({ timezone: "Asia/Tokyo" });
  const [menu, poster] = [
    await account.api.createRendered({ name: "Menu" }),
    await account.api.createRendered({ name: "Poster" }),
  ];
  await account.api.createRendered({ name: "Never scanned" });
  await scan(server, menu.slug, 4);
  await days(10);
  await scan(server, menu.slug, 2);
  await days(3);
  await scan(server, poster.slug, 3);
  await scansSaved(account, clock);
}

/** Not while something is being saved, which would seem to take days and earn a long rest. */
async function days(count: number): Promise<void> {
  await scansSaved(account, clock);
  clock.advance(count * dayMs);
}

async function visitor(role: "owner" | "member", of = account): Promise<Visit> {
  const visit = await dashboard.visitAs(role, {}, of);
  await visit.page.clock.setFixedTime(clock.now());
  await visit.open("");
  return visit;
}

inBrowser("scans of today, of 7 and of 30 days", async () => {
  const visit = await visitor("member");
  const figures = () => visit.page.locator(".tile").allTextContents().then(String);
  await until(figures, "Today3,Last 7 days5,Last 30 days9");
  await visit.page.getByRole("button", { name: "Table of scans" }).click();
  const rows = await visit.page.getByRole("table", { name: "Scans" }).locator("tbody tr").allTextContents();
  assert.equal(rows.length, 30);
  assert.deepEqual(
    rows.filter((row) => !row.endsWith("20300") && !row.endsWith("20290")),
    ["Tue, 15 Jan 20304", "Fri, 25 Jan 20302", "Mon, 28 Jan 20303"],
  );
  await visit.end();
});

inBrowser("the codes that were scanned most, with a way to their analytics", async () => {
  const visit = await visitor("member");
  const { page } = visit;
  await page.getByText("Last 30 days").nth(1).waitFor();
  const table = page.getByRole("table", { name: "Most scanned codes" });
  await table.waitFor();
  assert.deepEqual(await table.locator("tbody tr").allTextContents(), ["Menu666.7%", "Poster333.3%"]);
  await table.getByRole("link", { name: "Menu" }).click();
  await page.getByRole("heading", { name: "Menu", level: 1 }).waitFor();
  await page.getByText("6 scans since it was made").waitFor();
  await visit.end();
});

inBrowser("what is used of the plan; of keys, for owners", async () => {
  const used = async (visit: Visit) => {
    await visit.page.getByRole("meter").first().waitFor();
    await visit.settled();
    const meters = visit.page.getByRole("meter");
    return meters.evaluateAll((all) =>
      all.map((meter) => `${meter.getAttribute("aria-label")} ${meter.getAttribute("aria-valuenow")}`),
    );
  };
  const [owner, member] = [await visitor("owner"), await visitor("member")];
  const ofAll = ["Active codes 3", "Projects 1"];
  const asOwner = await used(owner);
  assert.deepEqual(asOwner.slice(0, 3), [...ofAll, "API keys 1"]);
  assert.match(asOwner[3] ?? "", /^Requests today \(UTC\), busiest key [1-9]/);
  assert.deepEqual(await used(member), ofAll);
  await owner.end();
  await member.end();
});

inBrowser("who has nothing yet is told how to begin", async () => {
  const visit = await visitor("member", await dashboard.server.newAccount());
  await visit.page.getByRole("heading", { name: "Make your first code" }).waitFor();
  await visit.end();
});
