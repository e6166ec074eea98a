/** Projects: made, renamed, made the default, archived and brought back. */
import assert from "node:assert/strict";
import { inBrowser } from "../../support/pages/browser.ts";
import { startVisit } from "../../support/pages/dashboard.ts";

const { dashboard, visit } = await startVisit("member");

const row = (name: string) => visit.page.getByRole("row").filter({ hasText: name });
const confirm = (name: string) => visit.page.getByRole("dialog").getByRole("button", { name }).click();

inBrowser("one is made and renamed", async () => {
  const { page } = visit;
  await visit.open("/projects");
  await page.getByRole("button", { name: "New project" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Fair");
  await page.getByRole("dialog").getByLabel("Description").fill("In spring");
  await confirm("Make the project");
  await row("Fair").getByText("In spring").waitFor();
  await page.getByRole("button", { name: "Rename Fair" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Spring fair");
  await confirm("Save");
  await row("Spring fair").waitFor();
  const { items } = (await dashboard.server.api.get("/v1/projects", 200)).body;
  assert.deepEqual(
    items
      .map(({ name, created_via }: { name: string; created_via: string | null }) => [name, created_via])
      .sort(),
    [
      ["Default project", null],
      ["Spring fair", "dashboard"],
    ],
  );
});

inBrowser("another becomes the default, and the former one can be archived", async () => {
  const { page } = visit;
  await page.getByRole("button", { name: "Make Spring fair the default" }).click();
  await confirm("Make it the default");
  await row("Spring fair").getByText("Default", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Archive Default project" }).click();
  await confirm("Archive");
  await row("Default project").getByText("Archived").waitFor();
  const { account } = dashboard.server;
  await account.api.post(
    "/v1/qr-codes",
    { redirect_url: "https://example.com/", project_id: account.projectId },
    403,
  );
  await page.getByRole("button", { name: "Bring Default project back" }).click();
  await confirm("Bring back");
  await row("Default project").getByText("Archived").waitFor({ state: "detached" });
});

inBrowser("a project leads to its codes", async () => {
  await visit.page.getByRole("link", { name: "Spring fair" }).click();
  await visit.page.getByRole("heading", { name: "No code is like that" }).waitFor();
  await visit.end();
});
