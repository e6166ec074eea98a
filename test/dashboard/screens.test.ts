/**
 * Every screen, light and dark, wide and narrow: nothing sticks out, axe-core finds no barrier, the console is silent,
 * and no other origin is asked for anything.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { AxeResults } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { noBrowser } from "../support/browser.ts";
import { type Dashboard, startDashboard, type Visit } from "../support/dashboard.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wide = { width: 1280, height: 800 };
const narrow = { width: 360, height: 740 };
const views: [name: string, options: BrowserContextOptions][] = [
  ["light and wide", { colorScheme: "light", viewport: wide }],
  ["light and narrow", { colorScheme: "light", viewport: narrow }],
  ["dark and wide", { colorScheme: "dark", viewport: wide }],
  ["dark and narrow", { colorScheme: "dark", viewport: narrow }],
];

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

async function nothingSticksOut(page: Page, at: string): Promise<void> {
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  assert.ok(over <= 0, `${at} is ${over} px too wide`);
}

/** A script of the test, let in past the policy by the browser's debugger and not by the page. */
async function noBarriers(page: Page, at: string): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`,
  );
  assert.deepEqual(told, [], at);
}

for (const [name, options] of views) {
  test(`for users, ${name}`, { skip: noBrowser }, async () => {
    const visit = await dashboard.visitAs("owner", options);
    const paths = ["", "/codes", "/codes/new", `/codes/${codeId}`, `/codes/${codeId}/print`];
    for (const path of [
      ...paths,
      `/codes/${codeId}/analytics`,
      "/analytics",
      "/projects",
      "/keys",
      "/people",
      "/account",
      "/nowhere",
    ]) {
      await look(visit, path, `${path || "the overview"}, ${name}`);
    }
    await visit.open("/codes");
    await visit.page.getByLabel("Choose Menu").check();
    await visit.page.getByRole("button", { name: "Archive" }).click();
    await noBarriers(visit.page, `a dialog, ${name}`);
    await visit.end();
  });

  test(`for the operator, ${name}`, { skip: noBrowser }, async () => {
    const visit = await dashboard.visitAsOperator(options);
    for (const path of ["", `/operator/accounts/${dashboard.server.account.id}`]) {
      await look(visit, path, `${path || "accounts"}, ${name}`);
    }
    await visit.end();
  });

  test(`for strangers, ${name}`, { skip: noBrowser }, async () => {
    const link = await dashboard.invite(`${name.replaceAll(" ", "-")}@example.com`);
    const visit = await dashboard.visit(options);
    visit.expect(/status of 401/);
    await look(visit, "", `sign-in, ${name}`);
    await look(visit, `/set-password${new URL(link).hash}`, `set password, ${name}`);
    await visit.end();
  });
}

test("the theme can be chosen, and is kept", { skip: noBrowser }, async () => {
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
