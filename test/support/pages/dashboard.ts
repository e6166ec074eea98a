/**
 * The real service with its pages, and people who look at them in a real browser.
 *
 * Every visit is watched: an error in the console, a fault of a script, a request to another origin or something that
 * the content policy refused fails the test that ends the visit.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { ensureBuilt } from "../built.ts";
import { type ServerOptions, startServer, type TestAccount, type TestServer } from "../server.ts";
import { launchBrowser, noBrowser } from "./browser.ts";

export const password = "correct horse battery";

export interface Visit {
  page: Page;
  /** Opens an address of the dashboard, such as `/codes`, and waits until nothing is loading. */
  open(path: string): Promise<void>;
  /** Nothing is being loaded, and nothing on the page says that it waits for something. */
  settled(): Promise<void>;
  /** What the browser says of a refusal that the test is about. */
  expect(pattern: RegExp): void;
  /** Nothing went wrong that was not expected. */
  end(): Promise<void>;
}

export interface Dashboard {
  server: TestServer;
  /** Of the browser's side: the origin that cookies are kept for. */
  url: string;
  /** A one-time link for a new user of the account. */
  invite(email: string, role?: "owner" | "member", account?: TestAccount): Promise<string>;
  /** Nobody is signed in. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** A new user of the account is signed in. */
  visitAs(role: "owner" | "member", options?: BrowserContextOptions, account?: TestAccount): Promise<Visit>;
  visitAsOperator(options?: BrowserContextOptions): Promise<Visit>;
}

/** Ends by itself with the file that started it. */
export async function startDashboard(options: ServerOptions = {}): Promise<Dashboard> {
  ensureBuilt();
  const [server, browser] = await Promise.all([startServer(options), launchBrowser()]);
  const url = `http://localhost:${new URL(server.url).port}`;
  let people = 0;

  const invite: Dashboard["invite"] = async (email, role = "owner", account = server.account) => {
    const { body } = await server.admin.post(`/admin/v1/accounts/${account.id}/users`, { email, role }, 201);
    return body.one_time_link;
  };
  const visit = (context: BrowserContextOptions = {}) => watchedVisit(browser, url, context);
  const signedIn = async (path: string, data: object, context: BrowserContextOptions = {}) => {
    const made = await visit(context);
    const answer = await made.page
      .context()
      .request.post(`${url}/dashboard/api/${path}`, { data, headers: { origin: url } });
    assert.equal(answer.status(), 200, await answer.text());
    return made;
  };
  return {
    server,
    url,
    invite,
    visit,
    async visitAs(role, context, account) {
      people += 1;
      const link = await invite(`${role}-${people}@example.com`, role, account);
      return signedIn("password", { token: new URL(link).hash.slice(1), password }, context);
    },
    visitAsOperator: (context) => signedIn("session", { admin_token: server.adminToken }, context),
  };
}

/** A dashboard and somebody who is signed in to it; nothing where tests in a browser are left out. */
export async function startVisit(
  as: "owner" | "member" | "operator",
): Promise<{ dashboard: Dashboard; visit: Visit }> {
  if (noBrowser !== false) return {} as { dashboard: Dashboard; visit: Visit };
  const dashboard = await startDashboard();
  return {
    dashboard,
    visit: await (as === "operator" ? dashboard.visitAsOperator() : dashboard.visitAs(as)),
  };
}

async function watchedVisit(browser: Browser, url: string, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const expected: RegExp[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(`fault: ${error.message}`));
  const underWay = new Set<Request>();
  page.on("request", (request) => {
    underWay.add(request);
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "blob:" && origin !== url) problems.push(`request to ${request.url()}`);
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  // What was rendered may ask for more, but not later than with the frame after it.
  const settled = () => until(async () => (await isStill(page)) && underWay.size === 0, true);
  return {
    page,
    async open(path) {
      await page.goto(`${url}/dashboard${path}`);
      await settled();
    },
    settled,
    expect(pattern) {
      expected.push(pattern);
    },
    async end() {
      await context.close();
      assert.deepEqual(
        problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
        [],
      );
    },
  };
}

/** After what was rendered was painted, twice. */
function isStill(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`new Promise((tell) => {
    const look = () => tell(document.querySelector(".bones, .loading-bar, [aria-busy=true]") === null);
    const paint = (then) => requestAnimationFrame(() => setTimeout(then));
    paint(() => paint(look));
  })`);
}

const untilMsMax = 10_000;

/** Asks the page until it says what is wanted. */
export async function until<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  let said = await ask();
  for (
    const deadline = Date.now() + untilMsMax;
    said !== wanted && Date.now() < deadline;
    said = await ask()
  ) {
    await sleep(20);
  }
  assert.equal(said, wanted);
}
