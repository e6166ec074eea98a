/** People of an account: invited, given a new link, removed; and what a member does not get to see. */
import assert from "node:assert/strict";
import { inBrowser, noBrowser } from "../../support/pages/browser.ts";
import { type Dashboard, password, startDashboard } from "../../support/pages/dashboard.ts";

let dashboard: Dashboard;

if (noBrowser === false) dashboard = await startDashboard();

inBrowser("an owner invites somebody, who comes in with the link; then they are removed", async () => {
  const owner = await dashboard.visitAs("owner");
  await owner.open("/people");
  await owner.page.getByRole("button", { name: "Invite" }).click();
  await owner.page.getByLabel("E-mail").fill("grace@example.com");
  await owner.page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  const link = await owner.page.locator(".secret code").innerText();
  await owner.page.getByRole("button", { name: "Done" }).click();
  const row = owner.page.getByRole("row").filter({ hasText: "grace@example.com" });
  await row.getByText("Invited").waitFor();

  const guest = await dashboard.visit();
  guest.expect(/status of 401/);
  await guest.page.goto(link.replace(/^https?:\/\/[^/]+/, dashboard.url));
  await guest.page.getByLabel("New password").fill(password);
  await guest.page.getByRole("button", { name: "Set password and sign in" }).click();
  await guest.page.getByRole("heading", { name: "Overview" }).waitFor();

  await owner.page.reload();
  await row.getByRole("button", { name: "Remove" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });
  await guest.page.getByRole("link", { name: "QR codes" }).click();
  await guest.page.getByText("Your session has ended").waitFor();
  await guest.end();
  await owner.end();
});

inBrowser("a role is changed, and holds at once", async () => {
  const owner = await dashboard.visitAs("owner");
  const other = await dashboard.visitAs("owner");
  await other.open("/keys");
  const email = await other.page
    .getByText(/^owner-\d+@/)
    .first()
    .innerText();
  await owner.open("/people");
  const row = owner.page.getByRole("row").filter({ hasText: email });
  await row.getByRole("button", { name: "Make member" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Make member" }).click();
  await owner.page.getByText(`${email} is a member now`).waitFor();
  await row.getByRole("cell", { name: "Member", exact: true }).waitFor();
  await other.open("/keys");
  await other.page.getByRole("heading", { name: "This is not for you to see" }).waitFor();

  await row.getByRole("button", { name: "Make owner" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Make owner" }).click();
  await row.getByRole("cell", { name: "Owner", exact: true }).waitFor();
  await other.open("/keys");
  await other.page.getByRole("heading", { name: "API keys" }).waitFor();
  const own = owner.page.getByRole("row").filter({ hasText: "You" });
  assert.equal(await own.getByRole("button", { name: "Make member" }).count(), 0);
  await other.end();
  await owner.end();
});

inBrowser("an address that is taken is refused in words", async () => {
  const owner = await dashboard.visitAs("owner");
  owner.expect(/status of 409/);
  await owner.open("/people");
  await owner.page.getByRole("button", { name: "Invite" }).click();
  await owner.page.getByLabel("E-mail").fill("owner-1@example.com");
  await owner.page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await owner.page.getByRole("dialog").getByRole("alert").waitFor();
  await owner.end();
});

inBrowser("a member sees neither keys nor people, nor gets there by the address", async () => {
  const member = await dashboard.visitAs("member");
  await member.open("");
  const nav = member.page.getByRole("navigation", { name: "Main" });
  assert.equal(await nav.getByRole("link", { name: "Projects" }).count(), 1);
  for (const [path, name] of [
    ["/keys", "API keys"],
    ["/people", "People"],
    ["/operator", "Accounts"],
  ] as const) {
    assert.equal(await nav.getByRole("link", { name }).count(), 0, name);
    await member.open(path);
    await member.page.getByRole("heading", { name: "This is not for you to see" }).waitFor();
  }
  await member.open("/account");
  assert.equal(await member.page.getByLabel("Time zone").count(), 0);
  await member.end();
});
