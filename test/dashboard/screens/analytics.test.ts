/** What the charts of a code show is what was scanned: by the clock of the account, and no more than the plan shows. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { lights, noBarriers, nothingSticksOut } from "../../support/pages/barriers.ts";
import { inBrowser, noBrowser } from "../../support/pages/browser.ts";
import { type Dashboard, startDashboard, until, type Visit } from "../../support/pages/dashboard.ts";
import { countryEnv, scan, scansSaved } from "../../support/scanning.ts";
import type { TestAccount } from "../../support/server.ts";

const hourMs = 3_600_000;
// Tuesday, 15 January 2030, 12:00 UTC: 13:00 in Berlin.
const clock = new ManualClock();
let dashboard: Dashboard;
let account: TestAccount;
let codeId: string;
let otherId: string;
let textId: string;

if (noBrowser === false) {
  dashboard = await startDashboard({ clock, env: countryEnv });
  account = await dashboard.server.newAccount({ plan: "agency", timezone: "Europe/Berlin" });
  const { qr_id, slug } = await account.api.createRendered({ name: "Menu" });
  codeId = qr_id;
  textId = (await account.api.post("/v1/qr-codes", { name: "Note", type: "text", text: "Hello" }, 201)).body
    .qr_id;
  const { server } = dashboard;
  await scan(server, slug, 5, { device: "ios", country: "DE" });
  await scan(server, slug, 2, { device: "android", country: "AT", referer: "https://news.example/page" });
  const other = await account.api.createRendered({ name: "Poster" });
  otherId = other.qr_id;
  await scan(server, other.slug, 2, { country: "DE" });
  await scan(server, other.slug, 4, { device: "robot", country: "US" });
  // In Berlin the next day has begun, in UTC it has not.
  clock.advance(11.5 * hourMs);
  await scan(server, slug, 3, { device: "desktop", country: "SG" });
  await scansSaved(account, clock);
}

/** A member of the account, at whose place it is the time of the test. */
async function visitor(of = account): Promise<Visit> {
  const visit = await dashboard.visitAs("member", { timezoneId: "America/New_York" }, of);
  await visit.page.clock.setFixedTime(clock.now());
  return visit;
}

/** Rows of a table as the words of their cells. */
async function rowsOf(table: Locator): Promise<string[][]> {
  await table.waitFor();
  return table
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim() ?? "")),
    );
}

const total = (visit: Visit) => visit.page.locator(".tile dd").first().textContent();

inBrowser("every view shows what was scanned", async () => {
  const visit = await visitor();
  const { page } = visit;
  await visit.open(`/codes/${codeId}/analytics?range=7`);
  await until(() => total(visit), "10");
  await page.getByText("10 scans since it was made").waitFor();
  assert.deepEqual(await rowsOf(page.getByRole("table", { name: "Countries" })), [
    ["Germany", "5", "50%"],
    ["Singapore", "3", "30%"],
    ["Austria", "2", "20%"],
  ]);
  assert.deepEqual(await rowsOf(page.getByRole("table", { name: "Devices" })), [
    ["iPhone and iPad", "5", "50%"],
    ["Computers and others", "3", "30%"],
    ["Android", "2", "20%"],
  ]);
  assert.deepEqual(await rowsOf(page.getByRole("table", { name: "Referrers" })), [
    ["Direct, as from a camera", "8", "80%"],
    ["news.example", "2", "20%"],
  ]);
  const levels = await page
    .locator(".world [data-country]:not(.level-0)")
    .evaluateAll((drawn) =>
      drawn.map(
        (each) => `${each.tagName} ${each.getAttribute("data-country")} ${each.getAttribute("class")}`,
      ),
    );
  assert.deepEqual(levels.sort(), ["circle SG level-4", "path AT level-4", "path DE level-5"]);
  await visit.end();
});

inBrowser("the tables behind the charts, by the account's clock and reached by the keyboard", async () => {
  const visit = await visitor();
  const { page } = visit;
  await visit.open(`/codes/${codeId}/analytics?range=7`);
  const overTime = page.getByRole("button", { name: "Table of scans over time" });
  assert.equal(
    await page.getByRole("img", { name: /^Line chart/ }).getAttribute("aria-label"),
    "Line chart: 10 scans by day. Most: Tue, 15 Jan 2030, 7 scans.",
  );
  await overTime.focus();
  await page.keyboard.press("Enter");
  const days = await rowsOf(page.getByRole("table", { name: "Scans over time" }));
  assert.deepEqual(days.slice(-3), [
    ["Mon, 14 Jan 2030", "0"],
    ["Tue, 15 Jan 2030", "7"],
    ["Wed, 16 Jan 2030", "3"],
  ]);
  assert.equal(days.length, 7);
  await page.getByRole("button", { name: "Table of hours of the week" }).press("Enter");
  const hours = await rowsOf(page.getByRole("table", { name: "Hours of the week" }));
  assert.equal(hours.length, 24);
  const found = hours.flatMap(([hour, ...cells]) =>
    cells.flatMap((scans, day) => (scans === "0" ? [] : [`${hour} ${day} ${scans}`])),
  );
  assert.deepEqual(found, ["0:00 – 1:00 2 3", "13:00 – 14:00 1 7"]);
  // What scrolls can be scrolled without a pointer.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.className"), "data-scroll");
  await visit.end();
});

inBrowser("a chart says what is under the pointer, and drawing it breaks no policy", async () => {
  const visit = await visitor();
  const { page } = visit;
  await visit.open(`/codes/${codeId}/analytics?range=7`);
  const plot = page.locator(".u-over");
  const { width, height } = (await plot.boundingBox())!;
  await plot.hover({ position: { x: width - 2, y: height / 2 } });
  await page.getByText("3 scans so far").waitFor();
  await plot.hover({ position: { x: (width * 5) / 6, y: height / 2 } });
  assert.equal(await page.locator(".trend-tip").textContent(), "Tue, 15 Jan 20307 scans");
  await page.locator(".world [data-country=SG]").hover();
  await page.getByText("Singapore: 3 scans (30%)").waitFor();
  await page.locator(".heat-row").nth(2).locator(".heat-cell").first().hover();
  await page.getByText("Wednesday, 0:00 – 1:00: 3 scans").waitFor();
  await visit.end();
});

inBrowser("the range is chosen, kept in the address, and decides what is counted", async () => {
  const visit = await visitor();
  const { page } = visit;
  await visit.open(`/codes/${codeId}/analytics`);
  await until(() => total(visit), "10");
  await page.getByRole("radio", { name: "Today" }).check();
  await until(() => total(visit), "3");
  assert.match(page.url(), /\?range=1$/);
  await page.getByRole("radio", { name: "Custom" }).check();
  await page.getByLabel("From").fill("2030-01-14");
  await page.getByLabel("to", { exact: true }).fill("2030-01-15");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await until(() => total(visit), "7");
  await page.getByLabel("Interval").selectOption("hour");
  await page.reload();
  await until(() => total(visit), "7");
  await page.getByRole("button", { name: "Table of scans over time" }).click();
  const hours = await rowsOf(page.getByRole("table", { name: "Scans over time" }));
  const [hour = [], ...others] = hours.filter(([, scans]) => scans !== "0");
  assert.deepEqual([hours.length, hour[1], others.length], [48, "7", 0]);
  assert.match(hour[0] ?? "", /^Tue,? 15 Jan,? 13:00$/);
  await page.getByLabel("From").fill("2030-01-16");
  await page.getByText("The first day is after the last one.").waitFor();
  await visit.end();
});

inBrowser("robots are left out, counted in, or all that is shown", async () => {
  const visit = await visitor();
  const { page } = visit;
  await visit.open(`/codes/${otherId}/analytics`);
  await page.getByText("6 scans since it was made").waitFor();
  await until(() => total(visit), "2");
  await page.getByLabel("Robots").selectOption("With robots");
  await until(() => total(visit), "6");
  await page.getByLabel("Robots").selectOption("Only robots");
  await until(() => total(visit), "4");
  assert.deepEqual(await rowsOf(page.getByRole("table", { name: "Countries" })), [
    ["United States", "4", "100%"],
  ]);
  await visit.end();
});

inBrowser("all codes of the account, or those of a project", async () => {
  const visit = await visitor();
  await visit.open("/analytics");
  await until(() => total(visit), "12");
  await visit.page.getByLabel("Project").selectOption(account.projectId);
  await until(() => total(visit), "12");
  assert.match(visit.page.url(), /\?project=/);
  const codes = async () =>
    (await rowsOf(visit.page.getByRole("table", { name: "Most scanned codes" }))).join("; ");
  await until(codes, "Menu,10,83.3%; Poster,2,16.7%");
  await visit.page.getByLabel("Robots").selectOption("Only robots");
  await until(codes, "Poster,4,100%");
  await visit.end();
});

inBrowser("days without scans say so", async () => {
  const visit = await visitor();
  await visit.open(`/codes/${codeId}/analytics?from=2030-01-01&to=2030-01-02`);
  await visit.page.getByRole("heading", { name: "No scans in these days" }).waitFor();
  await visit.end();
});

inBrowser("a code whose content is in the picture says why nothing is counted", async () => {
  const visit = await visitor();
  await visit.open(`/codes/${textId}/analytics`);
  await visit.page.getByRole("heading", { name: "Scans of this code are not counted" }).waitFor();
  await visit.end();
});

inBrowser("a smaller plan offers as far back as it goes, and says so", async () => {
  const small = await dashboard.server.newAccount({ plan: "free", timezone: "Europe/Berlin" });
  const visit = await visitor(small);
  const { page } = visit;
  await visit.open("/analytics");
  await page.getByText("The plan “free” shows the last 30 days.").waitFor();
  const offered = await page.getByRole("radiogroup", { name: "Range" }).getByRole("radio").count();
  assert.equal(offered, 4);
  await page.getByRole("radio", { name: "Custom" }).check();
  await page.getByLabel("From").fill("2029-01-01");
  await page.getByText("Your plan goes back to 17 Dec 2029.").waitFor();
  // An address that was kept from a larger plan.
  visit.expect(/status of 403/);
  await visit.open("/analytics?from=2029-01-01&to=2029-01-31");
  await page.getByText("further back than the plan “free” shows: the last 30 days").waitFor();
  await page.getByRole("button", { name: "Show the newest" }).click();
  await page.getByRole("heading", { name: "No scans in these days" }).waitFor();
  await visit.end();
});

for (const [name, options] of lights) {
  inBrowser(`charts and the tables behind them, ${name}`, async () => {
    const visit = await dashboard.visitAs("owner", options, account);
    const { page } = visit;
    await page.clock.setFixedTime(clock.now());
    await visit.open(`/codes/${codeId}/analytics`);
    await page.locator(".u-over").waitFor();
    await nothingSticksOut(page, `charts, ${name}`);
    await noBarriers(page, `charts, ${name}`);
    await page.getByRole("button", { name: "Table of scans over time" }).click();
    await page.getByRole("button", { name: "Table of hours of the week" }).click();
    await page.getByRole("radio", { name: "Custom" }).check();
    await nothingSticksOut(page, `tables, ${name}`);
    await noBarriers(page, `tables, ${name}`);
    await visit.end();
  });
}
