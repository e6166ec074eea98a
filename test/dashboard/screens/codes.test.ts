/** The list of codes: found, narrowed, archived and brought back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, noBrowser } from "../../support/pages/browser.ts";
import { type Dashboard, startDashboard, until, type Visit } from "../../support/pages/dashboard.ts";

let dashboard: Dashboard;
let visit: Visit;

if (noBrowser === false) {
  dashboard = await startDashboard();
  const { api } = dashboard.server;
  for (const name of ["Poster", "Table card", "Table tent", "Window"]) {
    await api.post("/v1/qr-codes", { name, redirect_url: "https://example.com/menu" }, 201);
  }
  visit = await dashboard.visitAs("member");
}

const rows = () => visit.page.locator(".table-codes tbody tr");
const settled = (count: number) => until(() => rows().count(), count);

inBrowser("a search narrows the list, and the address keeps it", async () => {
  await visit.open("/codes");
  await settled(4);
  await visit.page.getByLabel("Search by name").fill("TABLE");
  await settled(2);
  assert.match(visit.page.url(), /search=TABLE/);
  await visit.page.reload();
  await settled(2);
  await visit.page.getByLabel("Search by name").fill("nothing like it");
  await visit.page.getByRole("heading", { name: "No code is like that" }).waitFor();
  await visit.page.getByRole("button", { name: "Show all codes" }).click();
  await settled(4);
});

inBrowser("the order can be turned", async () => {
  await visit.open("/codes");
  await visit.page.getByLabel("Order").selectOption("label");
  const first = () => rows().first().getByRole("link").innerText();
  await until(first, "Poster");
  await visit.page.getByLabel("Order").selectOption("newest");
  await until(first, "Window");
  await visit.page.getByLabel("Order").selectOption("oldest");
  await until(first, "Poster");
  assert.match(visit.page.url(), /sort=oldest/);
});

inBrowser("several are archived at once, and brought back", async () => {
  await visit.open("/codes");
  await visit.page.getByLabel("Choose Poster").check();
  await visit.page.getByLabel("Choose Window").check();
  await visit.page.getByRole("button", { name: "Archive" }).click();
  await visit.page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await settled(2);
  await visit.page.getByText("Archived", { exact: true }).click();
  await settled(2);
  await visit.page.getByLabel("Choose all codes of this page").check();
  await visit.page.getByRole("button", { name: "Bring back" }).click();
  await visit.page.getByRole("dialog").getByRole("button", { name: "Bring back" }).click();
  await visit.page.getByRole("heading", { name: "Nothing is archived" }).waitFor();
  const { items } = (await dashboard.server.api.get("/v1/qr-codes?status=active", 200)).body;
  assert.equal(items.length, 4);
});

test("nothing went wrong on the way", { skip: noBrowser }, () => visit.end());
