/** Keys: shown once when they are made, and never again. */
import assert from "node:assert/strict";
import { Client } from "../../support/client.ts";
import { inBrowser } from "../../support/pages/browser.ts";
import { startVisit } from "../../support/pages/dashboard.ts";

const { dashboard, visit } = await startVisit("owner");
let api: Client;

inBrowser("a key is made, works, and is in no page after the one that shows it", async () => {
  const { page } = visit;
  await visit.open("/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("Shop");
  await page.getByRole("button", { name: "Make the key" }).click();
  const key = await page.locator(".secret code").innerText();
  assert.match(key, /^api_live_[0-9A-Za-z]{32}$/);
  api = new Client(dashboard.server.url, { "x-api-key": key });
  await api.get("/v1/projects", 200);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page
    .getByRole("row")
    .filter({ hasText: "Shop" })
    .getByText(`…${key.slice(-4)}`)
    .waitFor();
  await page.reload();
  await page.getByRole("row").filter({ hasText: "Shop" }).waitFor();
  assert.ok(!(await page.content()).includes(key));
  const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  assert.ok(!kept.includes(key));
});

inBrowser("a key gets another name", async () => {
  const { page } = visit;
  await page.getByRole("row").filter({ hasText: "Shop" }).getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Shop by the door");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByRole("row").filter({ hasText: "Shop by the door" }).waitFor();
  await api.get("/v1/projects", 200);
});

inBrowser("a key is revoked at once", async () => {
  const { page } = visit;
  await page.getByRole("row").filter({ hasText: "Shop" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("row").filter({ hasText: "Shop" }).waitFor({ state: "detached" });
  await api.get("/v1/projects", 401);
  await page.getByLabel("Show revoked keys").check();
  await page.getByRole("row").filter({ hasText: "Shop" }).getByText("Revoked").waitFor();
  await visit.end();
});
