/** One code: made, seen, changed, tried, put away. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, noBrowser } from "../../../support/pages/browser.ts";
import { startVisit, until } from "../../../support/pages/dashboard.ts";

const { dashboard, visit } = await startVisit("owner");

const saved = () =>
  visit.page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
const codeId = () => new URL(visit.page.url()).pathname.split("/").at(-1)!;
const read = async () => (await dashboard.server.api.get(`/v1/qr-codes/${codeId()}`, 200)).body;

inBrowser("a link is made, and its picture can be had", async () => {
  const { page } = visit;
  await visit.open("/codes");
  await page.getByRole("link", { name: "New code" }).first().click();
  await page.getByLabel("Destination").fill("https://example.com/menu");
  await page.getByLabel("Name").fill("Menu");
  await page.getByLabel("Pattern").selectOption("dots");
  await page.getByRole("button", { name: "Make the code" }).click();
  await page.getByRole("heading", { name: "Menu" }).waitFor();
  const svg = page.getByRole("link", { name: "SVG" });
  await svg.waitFor();
  const made = await read();
  assert.equal(made.qr_render_metadata.dot_style, "dots");
  const [download] = await Promise.all([page.waitForEvent("download"), svg.click()]);
  assert.equal(download.suggestedFilename(), `${made.slug}.svg`);
});

inBrowser("the preview follows the looks before they are saved", async () => {
  const { page } = visit;
  const preview = page.getByRole("img", { name: "QR code of Menu" });
  const first = await preview.getAttribute("src");
  await page.getByLabel("Colour", { exact: true }).fill("#123456");
  await page.getByLabel("Colour", { exact: true }).blur();
  await until(async () => (await preview.getAttribute("src")) !== first, true);
  await page.getByLabel("Colour", { exact: true }).fill("#fedcba");
  await page.getByLabel("Colour", { exact: true }).blur();
  await page.getByText("must have a contrast of").waitFor();
  await page.getByLabel("Colour", { exact: true }).fill("#123456");
  await page.getByLabel("Colour", { exact: true }).blur();
  await page.getByRole("button", { name: "Save" }).click();
  await saved();
  assert.equal((await read()).qr_render_metadata.foreground_color, "#123456");
});

inBrowser("the destination changes, and what is wrong with one is said beside it", async () => {
  const { page } = visit;
  await page.getByLabel("Destination").fill("https://127.0.0.1/");
  visit.expect(/status of 4(00|22)/);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("see the marked field").waitFor();
  assert.equal(await page.getByLabel("Destination").getAttribute("aria-invalid"), "true");
  await page.getByLabel("Destination").fill("https://example.com/autumn");
  await page.getByRole("button", { name: "Save" }).click();
  await saved();
  assert.equal((await read()).redirect_url, "https://example.com/autumn");
});

inBrowser("rules are tried out before they are saved", async () => {
  const { page } = visit;
  await page.getByRole("button", { name: "Add a rule" }).click();
  const rule = page.getByRole("listitem", { name: "Rule 1" });
  await rule.getByLabel("When").selectOption("both");
  await rule.getByLabel("Device").selectOption("android");
  await rule.getByLabel("Country").selectOption("DE");
  await rule.getByLabel("Leads to").fill("https://example.com/de");
  const trial = page.getByRole("region", { name: "What would this visitor get?" });
  await trial.getByText("no rule fits").waitFor();
  await trial.getByLabel("Device").selectOption("android");
  await trial.getByLabel("Country").selectOption("DE");
  await trial.getByText("rule 1 fits").waitFor();
  await trial.getByText("https://example.com/de").waitFor();
  assert.deepEqual((await read()).redirect_rules, []);

  await page.getByRole("button", { name: "Add a rule" }).click();
  const second = page.getByRole("listitem", { name: "Rule 2" });
  await second.getByLabel("When").selectOption("schedule");
  await second.getByLabel("Leads to").fill("https://example.com/by-day");
  await page.getByRole("button", { name: "Move rule 2 up" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await saved();
  const { redirect_rules } = await read();
  assert.deepEqual(
    redirect_rules.map(({ condition }: { condition: string }) => condition),
    ["schedule", "device"],
  );
});

inBrowser("an expiry and a limit are set by the clock of the account", async () => {
  const { page } = visit;
  await page.getByLabel("Works until").fill("2090-01-31T12:00");
  await page.getByLabel("Number of scans").fill("250");
  await page.getByRole("button", { name: "Save" }).click();
  await saved();
  const code = await read();
  assert.equal(code.expires_at, "2090-01-31T12:00:00.000Z");
  assert.equal(code.scan_limit, 250);
  await page.getByRole("meter", { name: "Scans used" }).waitFor();
});

inBrowser("unsaved changes are not left behind without a question", async () => {
  const { page } = visit;
  await page.getByLabel("Name").fill("Other");
  page.once("dialog", (dialog) => void dialog.dismiss());
  await page.getByRole("link", { name: "Projects" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "Other");
  await page.getByRole("button", { name: "Discard" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "Menu");
});

inBrowser("it is archived, and comes back", async () => {
  const { page } = visit;
  const { slug } = await read();
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await page.getByText("This code is archived").waitFor();
  await dashboard.server.api.get(`/${slug}`, 404);
  await page.getByRole("button", { name: "Bring back" }).click();
  await page.getByText("The code is back").waitFor();
  await dashboard.server.api.get(`/${slug}`, 302);
});

inBrowser("it can be printed", async () => {
  const { page } = visit;
  await page.getByRole("link", { name: "Print" }).click();
  await page.getByText("Twelve").click();
  assert.equal(await page.locator(".sheet img").count(), 12);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("navigation", { name: "Main" }).isVisible(), false);
  await page.emulateMedia({ media: null });
});

inBrowser("a code that does not exist is told apart from one that cannot be loaded", async () => {
  visit.expect(/status of 404/);
  await visit.open("/codes/qr_nothing");
  await visit.page.getByRole("heading", { name: "There is no such code" }).waitFor();
});

test("nothing went wrong on the way", { skip: noBrowser }, () => visit.end());
