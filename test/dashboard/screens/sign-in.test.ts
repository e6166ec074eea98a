/** The ways in, and how they end. */
import assert from "node:assert/strict";
import { inBrowser, noBrowser } from "../../support/pages/browser.ts";
import { type Dashboard, password, startDashboard } from "../../support/pages/dashboard.ts";

let dashboard: Dashboard;
const refused = /the server responded with a status of 401/;

if (noBrowser === false) dashboard = await startDashboard();

inBrowser(
  "a one-time link lets its holder set a password, is then over, and the password signs in",
  async () => {
    const link = await dashboard.invite("ada@example.com");
    const visit = await dashboard.visit();
    visit.expect(refused);
    const { page } = visit;
    await page.goto(link.replace(/^https?:\/\/[^/]+/, dashboard.url));
    await page.getByRole("heading", { name: "Welcome to test" }).waitFor();
    assert.equal(await page.getByLabel("E-mail").inputValue(), "ada@example.com");
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.equal(new URL(page.url()).hash, "");

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    visit.expect(/status of 410/);
    await page.goto(link.replace(/^https?:\/\/[^/]+/, dashboard.url));
    await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    await visit.end();
  },
);

inBrowser("a wrong password and an unknown address are told alike, and what to do", async () => {
  const visit = await dashboard.visitAs("member");
  await visit.page.context().clearCookies();
  visit.expect(refused);
  await visit.open("");
  for (const email of ["member-1@example.com", "nobody@example.com"]) {
    await visit.page.getByLabel("E-mail").fill(email);
    await visit.page.getByLabel("Password").fill("not the password");
    await visit.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await visit.page.getByRole("alert").filter({ hasText: "E-mail or password are wrong" }).waitFor();
  }
  await visit.end();
});

inBrowser("a session that has ended asks for a new sign-in and goes on where it was", async () => {
  const visit = await dashboard.visitAs("owner");
  visit.expect(refused);
  await visit.open("/projects");
  await visit.page.context().clearCookies();
  await visit.page.getByRole("link", { name: "QR codes" }).click();
  await visit.page.getByText("Your session has ended").waitFor();
  const email = await lastOwner();
  await visit.page.getByLabel("E-mail").fill(email);
  await visit.page.getByLabel("Password").fill(password);
  await visit.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await visit.page.getByRole("heading", { name: "QR codes" }).waitFor();
  await visit.end();
});

inBrowser("somebody who is removed is out with the next click", async () => {
  const visit = await dashboard.visitAs("member");
  visit.expect(refused);
  await visit.open("/codes");
  const users = `/admin/v1/accounts/${dashboard.server.account.id}/users`;
  const { items } = (await dashboard.server.admin.get(users, 200)).body;
  await dashboard.server.admin.delete(`${users}/${items.at(-1).user_id}`, 200);
  await visit.page.getByRole("link", { name: "Projects" }).click();
  await visit.page.getByText("Your session has ended").waitFor();
  await visit.end();
});

inBrowser("the operator signs in with the admin token, and not with another", async () => {
  const visit = await dashboard.visit();
  visit.expect(refused);
  await visit.open("");
  await visit.page.getByRole("button", { name: "Sign in as the operator" }).click();
  await visit.page.getByLabel("Admin token").fill("not the token");
  await visit.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await visit.page.getByText("This is not the admin token").waitFor();
  await visit.page.getByLabel("Admin token").fill(dashboard.server.adminToken);
  await visit.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await visit.page.getByRole("heading", { name: "Accounts" }).waitFor();
  await visit.end();
});

async function lastOwner(): Promise<string> {
  const users = `/admin/v1/accounts/${dashboard.server.account.id}/users`;
  const { items } = (await dashboard.server.admin.get(users, 200)).body;
  return items.findLast(({ role }: { role: string }) => role === "owner").email;
}
