/**
 * Every screen, light and dark, wide and narrow: nothing sticks out, axe-core finds no barrier, the console is silent,
 * and no other origin is asked for anything.
 */
import assert from "node:assert/strict";
import { lights, noBarriers, nothingSticksOut } from "../support/pages/barriers.ts";
import { inBrowser, noBrowser } from "../support/pages/browser.ts";
import { type Dashboard, startDashboard, until, type Visit } from "../support/pages/dashboard.ts";

let dashboard: Dashboard;
let codeId: string;

if (noBrowser === false) {
  dashboard = await startDashboard();
  const { api } = dashboard.server;
  const long =
    "A very long name that has to be cut somewhere, or else it would push everything out of the page";
  await api.post(
    "/v1/qr-codes",
    { name: long, redirect_url: `https://example.com/${"path/".repeat(30)}` },
    201,
  );
  await api.post("/v1/qr-codes", { name: "Text", type: "text", text: "Hello" }, 201);
  const rules = [
    { condition: "schedule", schedule_days: ["mon"], schedule_start: "08:00", schedule_end: "09:00" },
    { condition: "device", value: "ios", condition2: "country", value2: "DE" },
  ].map((rule) => ({ ...rule, url: "https://example.com/elsewhere" }));
  const made = await api.createRendered({
    name: "Menu",
    redirect_url: "https://example.com/menu",
    redirect_rules: rules,
    scan_limit: 10,
    expires_at: "2090-01-01T00:00:00Z",
  });
  codeId = made.qr_id;
}

async function look(visit: Visit, path: string, at: string): Promise<void> {
  await visit.open(path);
  await visit.page.locator("h1").waitFor();
  await nothingSticksOut(visit.page, at);
  await noBarriers(visit.page, at);
}

for (const [name, options] of lights) {
  inBrowser(`for users, ${name}`, async () => {
    const visit = await dashboard.visitAs("owner", options);
    const ofCodes = ["/codes", "/codes/new", `/codes/${codeId}`, `/codes/${codeId}/print`];
    const ofScans = ["", "/analytics", `/codes/${codeId}/analytics`];
    for (const path of [...ofScans, ...ofCodes, "/projects", "/keys", "/people", "/account", "/nowhere"]) {
      await look(visit, path, `${path || "the overview"}, ${name}`);
    }
    await visit.open("/codes");
    await visit.page.getByLabel("Choose Menu").check();
    await visit.page.getByRole("button", { name: "Archive" }).click();
    await noBarriers(visit.page, `a dialog, ${name}`);
    await visit.end();
  });

  inBrowser(`for the operator, ${name}`, async () => {
    const visit = await dashboard.visitAsOperator(options);
    for (const path of ["", `/operator/accounts/${dashboard.server.account.id}`]) {
      await look(visit, path, `${path || "accounts"}, ${name}`);
    }
    await visit.end();
  });

  inBrowser(`for strangers, ${name}`, async () => {
    const link = await dashboard.invite(`${name.replaceAll(" ", "-")}@example.com`);
    const visit = await dashboard.visit(options);
    visit.expect(/status of 401/);
    await look(visit, "", `sign-in, ${name}`);
    await look(visit, `/set-password${new URL(link).hash}`, `set password, ${name}`);
    await visit.end();
  });
}

inBrowser("on paper all is light, and what can only be clicked is left out", async () => {
  const visit = await dashboard.visitAs("owner", { colorScheme: "dark" });
  await visit.open(`/codes/${codeId}/analytics`);
  await visit.page.emulateMedia({ media: "print" });
  const colour = () => visit.page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  await until(colour, "rgb(255, 255, 255)");
  assert.ok(await visit.page.getByRole("heading", { name: "Menu" }).isVisible());
  for (const gone of [".side", ".tabs", ".controls"]) {
    assert.equal(await visit.page.locator(gone).isVisible(), false, gone);
  }
  await visit.page.emulateMedia({ media: "screen" });
  await until(colour, "rgb(15, 17, 21)");
  await visit.end();
});

inBrowser("the theme can be chosen, and is kept", async () => {
  const visit = await dashboard.visitAs("member", { colorScheme: "light" });
  const theme = () => visit.page.evaluate<string>("document.documentElement.dataset.theme");
  await visit.open("");
  assert.equal(await theme(), "light");
  await visit.page.getByRole("radio", { name: "Dark" }).check();
  assert.equal(await theme(), "dark");
  await visit.page.reload();
  await visit.page.locator("h1").waitFor();
  assert.equal(await theme(), "dark");
  await visit.end();
});
