/** An account with fifty thousand codes is as quick to look through as one with fifty. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import { numbered, sampleCode, sampleRender } from "../../fakes/sample-documents.ts";
import { noBrowser } from "../../support/pages/browser.ts";
import { type Dashboard, startDashboard, until, type Visit } from "../../support/pages/dashboard.ts";

const codes = 50_000;
const batch = 1_000;
const pageRows = 50;
/** From a click to the rows that it asks for; the machine may have much else to do. */
const turnMsMax = 3_000;
const skip =
  noBrowser ||
  (process.env.TEST_STORE === "mongodb" ? "so many codes are put into the embedded store" : false);

let dashboard: Dashboard;
let visit: Visit;

if (skip === false) {
  dashboard = await startDashboard();
  const { server } = dashboard;
  await server.restart(async () => {
    const store = await openLmdbStore({ path: join(server.dataDir, "store"), assertDocument });
    for (let from = 0; from < codes; from += batch) {
      await store.commit(
        Array.from({ length: batch }, (_, at) => ({
          collection: "codes",
          put: sampleCode({
            id: numbered("qr", from + at),
            account_id: server.account.id,
            project_id: server.account.projectId,
            slug: slugOf(from + at),
            label: `Code ${from + at}`,
            // No files are put there.
            render: { ...sampleRender("done"), svg: null, png: null },
          }),
        })),
      );
    }
    await store.close();
  });
  visit = await dashboard.visitAs("member");
}

/** Ten characters without those that a slug does not have. */
function slugOf(number: number): string {
  return `qr-${number.toString(8).padStart(10, "0")}`;
}

const rows = () => visit.page.locator(".table-codes tbody tr");
const firstName = () => rows().first().getByRole("link").innerText();

async function timed(work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  assert.ok(took < turnMsMax, `${took.toFixed(0)} ms`);
}

test("the list opens with a page of them, and turns to the next and back", { skip }, async () => {
  await timed(async () => {
    await visit.page.goto(`${dashboard.url}/dashboard/codes`);
    await until(() => rows().count(), pageRows);
  });
  assert.equal(await firstName(), "Code 49999");
  await timed(async () => {
    await visit.page.getByRole("button", { name: "Next" }).click();
    await until(firstName, "Code 49949");
  });
  await timed(async () => {
    await visit.page.getByRole("button", { name: "Previous" }).click();
    await until(firstName, "Code 49999");
  });
});

test("a search finds one among all, and another order begins at the other end", { skip }, async () => {
  await timed(async () => {
    await visit.page.getByLabel("Search by name").fill("code 123");
    await until(firstName, "Code 12399");
  });
  await visit.page.getByLabel("Search by name").fill("");
  await until(firstName, "Code 49999");
  await timed(async () => {
    await visit.page.getByLabel("Order").selectOption("oldest");
    await until(firstName, "Code 0");
  });
  await timed(async () => {
    await visit.page.getByLabel("Order").selectOption("label");
    await until(firstName, "Code 0");
  });
  await visit.end();
});
