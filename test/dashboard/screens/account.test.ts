/** The account's name and clock, and one's own password. */
import assert from "node:assert/strict";
import { inBrowser } from "../../support/pages/browser.ts";
import { password, startVisit } from "../../support/pages/dashboard.ts";

const { dashboard, visit } = await startVisit("owner");

inBrowser("a new time zone is the one that times are shown in", async () => {
  const { page } = visit;
  const { qr_id } = (
    await dashboard.server.api.post(
      "/v1/qr-codes",
      { redirect_url: "https://example.com/", expires_at: "2090-07-01T12:00:00Z" },
      201,
    )
  ).body;
  await visit.open("/account");
  await page.getByLabel("Name").fill("Acme");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  const { body } = await dashboard.server.admin.get(`/admin/v1/accounts/${dashboard.server.account.id}`, 200);
  assert.deepEqual([body.name, body.timezone], ["Acme", "Asia/Tokyo"]);
  await visit.open(`/codes/${qr_id}`);
  assert.equal(await page.getByLabel("Works until").inputValue(), "2090-07-01T21:00");
});

inBrowser("the password changes for who knows the present one, and other sessions end", async () => {
  const { page } = visit;
  const elsewhere = await dashboard.visit();
  const url = `${dashboard.url}/dashboard/api/session`;
  const signIn = (word: string) =>
    elsewhere.page.context().request.post(url, {
      data: { email: "owner-1@example.com", password: word },
      headers: { origin: dashboard.url },
    });
  assert.equal((await signIn(password)).status(), 200);

  visit.expect(/status of 403/);
  await visit.open("/account");
  await page.getByLabel("Present password").fill("not the password");
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  await page.getByLabel("Present password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your password is changed").waitFor();
  await page.getByRole("link", { name: "QR codes" }).click();
  await page.getByRole("heading", { name: "QR codes" }).waitFor();

  assert.equal((await elsewhere.page.context().request.get(url)).status(), 401);
  assert.equal((await signIn(password)).status(), 401);
  assert.equal((await signIn("another long password")).status(), 200);
  await elsewhere.end();
  await visit.end();
});
