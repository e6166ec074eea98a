/** Codes whose content is in the picture itself: written in a form, checked, previewed, made. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { lights, noBarriers, nothingSticksOut } from "../../../support/pages/barriers.ts";
import { inBrowser, noBrowser } from "../../../support/pages/browser.ts";
import { type Dashboard, startDashboard, until } from "../../../support/pages/dashboard.ts";
import type { TestAccount } from "../../../support/server.ts";

let dashboard: Dashboard;
let account: TestAccount;

if (noBrowser === false) {
  dashboard = await startDashboard();
  account = await dashboard.server.newAccount({ timezone: "Europe/Berlin" });
}

async function begin(type: RegExp) {
  const visit = await dashboard.visitAs("member", {}, account);
  await visit.open("/codes/new");
  await visit.page.getByRole("radio", { name: type }).check();
  return visit;
}

const field = (page: Page, label: string) =>
  page.getByRole("textbox", { name: new RegExp(`^${label}( \\(optional\\))?$`) });
const make = (page: Page) => page.getByRole("button", { name: "Make the code" }).click();

/** What the picture of the code carries that the page has just opened. */
async function madeOn(page: Page): Promise<{ type: string; label: string; text: string }> {
  await page.waitForURL(/\/codes\/qr_/);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { body } = await account.api.get(`/v1/qr-codes/${id}`, 200);
  return { type: body.type, label: body.label, text: body.qr_data.text };
}

inBrowser("a contact card, with several numbers", async () => {
  const visit = await begin(/^Contact card/);
  const { page } = visit;
  await page.getByText("Fill in the form").waitFor();
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Organization").fill("Engines; Mills");
  await page.getByLabel("Phone number 1").fill("+44 20 7946 0000");
  await page.getByRole("button", { name: "Add a phone number" }).click();
  await page.getByRole("button", { name: "Add a phone number" }).click();
  // The line in between is left empty.
  await page.getByLabel("Kind of phone 3").selectOption("work");
  await page.getByLabel("Phone number 3").fill("not a number");
  await page.getByText("It must be a phone number").waitFor();
  assert.equal(await page.getByLabel("Phone number 3").getAttribute("aria-invalid"), "true");
  await page.getByLabel("Phone number 3").fill("+44 20 7946 0001");
  await page.getByLabel("E-mail address 1").fill("ada@example.com");
  await page.getByRole("img", { name: "Preview of the new code" }).waitFor();
  assert.match((await page.getByRole("figure").textContent()) ?? "", /Ada Lovelace.*Engines; Mills/);
  await make(page);
  const made = await madeOn(page);
  assert.deepEqual([made.type, made.label], ["contact", "Ada Lovelace"]);
  assert.deepEqual(made.text.split("\r\n"), [
    "BEGIN:VCARD",
    "VERSION:4.0",
    "N:Lovelace;Ada;;;",
    "FN:Ada Lovelace",
    "ORG:Engines\\; Mills",
    "TEL;TYPE=cell:+442079460000",
    "TEL;TYPE=work:+442079460001",
    "EMAIL:ada@example.com",
    "END:VCARD",
    "",
  ]);
  await visit.end();
});

inBrowser("a card without a name is not made, and the form says what is missing", async () => {
  const visit = await begin(/^Contact card/);
  const { page } = visit;
  assert.equal(await page.locator("[aria-invalid]").count(), 0, "nothing is wrong before anything is done");
  await make(page);
  await page.getByText("It is required").waitFor();
  await until(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')"), "true");
  assert.match(page.url(), /\/codes\/new$/);
  await visit.end();
});

inBrowser("a network, with what has to be escaped", async () => {
  const visit = await begin(/^Wi-Fi/);
  const { page } = visit;
  await field(page, "Name of the network").fill("Café: guests");
  await field(page, "Password").fill("a;b");
  await page.getByText("It must have 8 to 63 characters.").waitFor();
  await field(page, "Password").fill("semi;colon");
  await page.getByLabel("Hidden network").check();
  await make(page);
  assert.deepEqual(await madeOn(page), {
    type: "wifi",
    label: "Café: guests",
    text: "WIFI:T:WPA;S:Café\\: guests;P:semi\\;colon;H:true;;",
  });
  await visit.end();
});

inBrowser("a network without a password", async () => {
  const visit = await begin(/^Wi-Fi/);
  const { page } = visit;
  await field(page, "Name of the network").fill("Open");
  await page.getByRole("radio", { name: "None" }).check();
  assert.equal(await field(page, "Password").count(), 0);
  await make(page);
  assert.equal((await madeOn(page)).text, "WIFI:T:nopass;S:Open;;");
  await visit.end();
});

inBrowser("an e-mail, a call, a message", async () => {
  const mail = await begin(/^E-mail/);
  await field(mail.page, "To").fill("shop@example.com");
  await field(mail.page, "Subject").fill("Order & more");
  await make(mail.page);
  assert.equal((await madeOn(mail.page)).text, "mailto:shop@example.com?subject=Order%20%26%20more");
  await mail.end();

  const call = await begin(/^Phone/);
  await field(call.page, "Phone number").fill("+49 (30) 12 34");
  await make(call.page);
  assert.equal((await madeOn(call.page)).text, "tel:+49301234");
  await call.end();

  const message = await begin(/^SMS/);
  await field(message.page, "Phone number").fill("+49 30 1234");
  await field(message.page, "Message").fill("Table for two: 8 pm");
  await make(message.page);
  assert.equal((await madeOn(message.page)).text, "SMSTO:+49301234:Table for two: 8 pm");
  await message.end();
});

inBrowser("a place, pasted as maps copy it", async () => {
  const visit = await begin(/^Place/);
  const { page } = visit;
  await field(page, "Latitude").fill("52.5219, 13.4132");
  assert.equal(await field(page, "Longitude").inputValue(), "13.4132");
  await field(page, "Name of the place").fill("Alexanderplatz");
  await make(page);
  assert.equal((await madeOn(page)).text, "geo:52.5219,13.4132?q=52.5219,13.4132(Alexanderplatz)");
  await visit.end();
});

inBrowser("an event, by the clock of the account", async () => {
  const visit = await begin(/^Event/);
  const { page } = visit;
  await field(page, "Title").fill("Opening");
  await field(page, "Begins").fill("2030-07-01T18:00");
  await field(page, "Ends").fill("2030-07-01T17:00");
  await page.getByText("It must be after start.").waitFor();
  await field(page, "Ends").fill("2030-07-01T20:30");
  await make(page);
  const { text } = await madeOn(page);
  // Summer there: two hours ahead of UTC.
  assert.match(text, /\r\nDTSTART:20300701T160000Z\r\nDTEND:20300701T183000Z\r\nSUMMARY:Opening\r\n/);
  await visit.end();
});

inBrowser("an event of whole days; what was a moment stays its day", async () => {
  const visit = await begin(/^Event/);
  const { page } = visit;
  await field(page, "Title").fill("Fair");
  await field(page, "Begins").fill("2030-07-01T00:30");
  await page.getByLabel("All day").check();
  assert.equal(await field(page, "First day").inputValue(), "2030-07-01");
  await field(page, "Last day").fill("2030-07-03");
  await make(page);
  const { text } = await madeOn(page);
  assert.match(text, /\r\nDTSTART;VALUE=DATE:20300701\r\nDTEND;VALUE=DATE:20300704\r\n/);
  await visit.end();
});

inBrowser("what was written for a type is kept while another is looked at", async () => {
  const visit = await begin(/^Phone/);
  const { page } = visit;
  await field(page, "Phone number").fill("+49 30 1234");
  await page.getByRole("radio", { name: /^Wi-Fi/ }).check();
  await page.getByRole("radio", { name: /^Phone/ }).check();
  assert.equal(await field(page, "Phone number").inputValue(), "+49 30 1234");
  await visit.end();
});

for (const [name, options] of lights) {
  inBrowser(`every form, ${name}`, async () => {
    const visit = await dashboard.visitAs("member", options, account);
    const { page } = visit;
    await visit.open("/codes/new");
    for (const type of ["Contact card", "Wi-Fi", "E-mail", "Phone", "SMS", "Place", "Event"]) {
      await page.getByRole("radio", { name: new RegExp(`^${type}`) }).check();
      await nothingSticksOut(page, `${type}, ${name}`);
      await noBarriers(page, `${type}, ${name}`);
    }
    await visit.end();
  });
}
