/** A code is made and archived without a pointer. */
import assert from "node:assert/strict";
import { inBrowser, noBrowser } from "../support/pages/browser.ts";
import { type Dashboard, password, startDashboard } from "../support/pages/dashboard.ts";

/** What a label, or else its words, call what has the focus. */
const nameOfFocus = `(() => {
  const element = document.activeElement;
  const label = element.id ? document.querySelector('label[for="' + element.id + '"]') : null;
  return element.getAttribute("aria-label") ?? (label ?? element).textContent;
})()`;

let dashboard: Dashboard;

if (noBrowser === false) dashboard = await startDashboard();

inBrowser("from the sign-in to the archive with keys alone", async () => {
  const visit = await dashboard.visitAs("owner");
  visit.expect(/status of 401/);
  const { page } = visit;
  const { keyboard } = page;
  await page.context().clearCookies();
  await visit.open("/codes");

  /** Tabs on until what has the focus is called this. */
  const tabTo = async (name: string | RegExp) => {
    for (let steps = 0; steps < 80; steps++) {
      await keyboard.press("Tab");
      const at = (await page.evaluate<string>(nameOfFocus)).trim();
      if (typeof name === "string" ? at === name : name.test(at)) return;
    }
    assert.fail(`no way by Tab to ${name}`);
  };

  await tabTo("E-mail");
  await keyboard.type("owner-1@example.com");
  await tabTo("Password");
  await keyboard.type(password);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "QR codes" }).waitFor();

  await tabTo("Skip to content");
  await keyboard.press("Enter");
  await tabTo("New code");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "New code" }).waitFor();
  await tabTo("Destination");
  await keyboard.type("https://example.com/by-hand");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Archive" }).waitFor();

  await tabTo("Archive");
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Archive");
  await keyboard.press("Enter");
  await tabTo("Archive");
  await keyboard.press("Enter");
  await page.getByText("This code is archived").waitFor();
  await visit.end();
});
