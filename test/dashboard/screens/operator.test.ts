/** The operator: accounts, their plans and overrides, their people, the safety re-scan, the health of the service. */
import assert from "node:assert/strict";
import { inBrowser } from "../../support/pages/browser.ts";
import { startVisit } from "../../support/pages/dashboard.ts";

const { dashboard, visit } = await startVisit("operator");

inBrowser(
  "an account is made, put on another plan, given a limit of its own, and cut off from the API",
  async () => {
    const { page } = visit;
    await visit.open("");
    await page.getByText("Ready", { exact: true }).waitFor();
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Name").fill("Acme");
    await page.getByLabel("Plan").selectOption("starter");
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByRole("heading", { name: "Acme" }).waitFor();
    await page.getByLabel("Plan").selectOption("agency");
    await page.getByRole("spinbutton", { name: "Active codes" }).fill("7");
    await page.getByLabel("API access").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { body } = await dashboard.server.admin.get(`/admin/v1/accounts/${id}`, 200);
    assert.equal(body.plan, "agency");
    assert.deepEqual(body.limit_overrides, { qr_cap: 7 });
    assert.equal(body.api_access, false);
  },
);

inBrowser("somebody is invited to it, and the link signs them in to that account", async () => {
  const { page } = visit;
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("E-mail").fill("first@example.com");
  await page.getByLabel("Role").selectOption("owner");
  await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  const link = await page.locator(".secret code").innerText();
  await page.getByRole("button", { name: "Done" }).click();
  const owner = await dashboard.visit();
  owner.expect(/status of 401/);
  await owner.page.goto(link.replace(/^https?:\/\/[^/]+/, dashboard.url));
  await owner.page.getByRole("heading", { name: "Welcome to Acme" }).waitFor();
  await owner.end();
});

inBrowser("all targets are checked again", async () => {
  const { page } = visit;
  await page.getByRole("link", { name: "Accounts" }).first().click();
  await page.getByRole("button", { name: "Safety re-scan" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Check" }).click();
  await page.getByText(/^0 codes checked/).waitFor();
});

inBrowser("screens of an account are not the operator's", async () => {
  await visit.open("/codes");
  await visit.page.getByRole("heading", { name: "This is not for you to see" }).waitFor();
  await visit.end();
});
