/**
 * Makes the README's pictures of the dashboard: a real service with an invented account, a month of scans, and Debian's
 * Chromium looking at it. The month passes on the service's clock while the scans are made.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { type Browser, chromium } from "playwright-core";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { startService } from "../../src/service/service.ts";
import { readCommandLine } from "../command-line.ts";
import { chromiumPath } from "../testing/chromium.ts";

const usage = `usage: tsx scripts/dashboard/pictures.ts

Makes scripts/pictures/dashboard-*.png. Needs chromium on the PATH, and a build: npm run build.
  --help  show this text`;

const folder = fileURLToPath(new URL("../pictures/", import.meta.url));
const port = 3917;
const url = `http://localhost:${port}`;
const token = "only-for-the-pictures-of-the-readme";
const days = 30;
const dayMs = 86_400_000;
/** In this order, so that a picture of the same version is the same picture but for the days on it. */
let seed = 7;

function dice(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

/** More of the first than of the last. */
function pick<T>(among: readonly T[]): T {
  return among[Math.floor(dice() ** 2 * among.length)]!;
}

const names = [
  "Table cards, Berlin",
  "Takeaway cups",
  "Loyalty card",
  "Window poster, Hamburg",
  "Roastery tour",
  "Barista course",
  "Gift cards",
];
const looks = [
  { dot_style: "rounded", eye_style: "rounded", foreground_color: "#3b1d0f" },
  { dot_style: "dots", eye_style: "circle", foreground_color: "#123b6b" },
  { dot_style: "classy-rounded", eye_style: "leaf", foreground_color: "#5a1048" },
  {},
];
const countries = ["DE", "AT", "FR", "US", "CH", "GB", "JP", "BR", "IN", "AU", "ZA"];
const agents = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
];
const referrers = [
  "",
  "",
  "https://www.instagram.com/",
  "https://www.google.com/",
  "https://news.example.com/",
];

readCommandLine("dashboard-pictures", usage, {});
const dataDir = await mkdtemp(join(tmpdir(), "qrelay-pictures-"));
let behindMs = days * dayMs;
const clock = { ...systemClock, now: () => Date.now() - behindMs };
const config = readConfig({
  DATA_DIR: dataDir,
  PORT: String(port),
  PUBLIC_URL: url,
  ADMIN_TOKEN: token,
  QRELAY_BOOTSTRAP: "off",
  TRUSTED_PROXIES: "127.0.0.0/8,::1",
  COUNTRY_HEADER: "cf-ipcountry",
  LOG_LEVEL: "silent",
});
const start = () => startService(config, { log: pino({ level: "silent" }), clock });
let service = await start();
try {
  const { accountId, codeId } = await fill();
  behindMs = 0;
  // The sums of an account are brought up to date every few minutes, and at a stop.
  await service.stop();
  service = await start();
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
  try {
    await takePictures(browser, accountId, codeId);
  } finally {
    await browser.close();
  }
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

// biome-ignore lint/suspicious/noExplicitAny: a script of pictures looks into answers as it likes.
async function send(path: string, body: object, key: string | null = null): Promise<any> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === null ? { authorization: `Bearer ${token}` } : { "x-api-key": key }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

async function fill(): Promise<{ accountId: string; codeId: string }> {
  const account = await send("/admin/v1/accounts", {
    name: "Acme Coffee",
    plan: "agency",
    timezone: "Europe/Berlin",
  });
  const accountId: string = account.account_id;
  const { key } = await send(`/admin/v1/accounts/${accountId}/keys`, { name: "Shop" });
  const codes = [];
  for (const [index, name] of names.entries()) {
    const path = name.toLowerCase().replaceAll(/\W+/g, "-");
    const rules = [
      { condition: "device", value: "ios", url: "https://www.example.com/app/ios" },
      { condition: "country", value: "FR", url: "https://www.example.com/fr" },
    ];
    codes.push(
      await send(
        "/v1/qr-codes",
        {
          name,
          redirect_url: `https://www.example.com/${path}`,
          qr_render_metadata: looks[index % looks.length],
          ...(index === 0 && { redirect_rules: rules }),
        },
        key,
      ),
    );
  }
  const slugs = await Promise.all(codes.map(({ qr_id }) => slugOf(qr_id, key)));
  for (let day = 0; day < days; day++) {
    const scans = Math.round((30 + day) * (0.6 + 0.8 * dice()) * (day % 7 > 4 ? 1.6 : 1));
    // Mornings and afternoons, as people drink coffee; in order, since a clock does not go back.
    const hours = Array.from({ length: scans }, () =>
      Math.min(23, Math.round((dice() < 0.5 ? 8 : 15) + 5 * (dice() - 0.4))),
    ).sort((a, b) => a - b);
    for (const hour of hours) {
      const wanted = Math.floor(Date.now() / dayMs) * dayMs - (days - 1 - day) * dayMs + hour * 3_600_000;
      behindMs = Date.now() - wanted;
      if (behindMs < 0) break;
      await fetch(`${url}/${pick(slugs)}`, {
        redirect: "manual",
        headers: { "user-agent": pick(agents), "cf-ipcountry": pick(countries), referer: pick(referrers) },
      });
    }
  }
  return { accountId, codeId: codes[0].qr_id };
}

async function slugOf(id: string, key: string): Promise<string> {
  for (;;) {
    const response = await fetch(`${url}/v1/qr-codes/${id}`, { headers: { "x-api-key": key } });
    const { slug } = (await response.json()) as { slug: string | null };
    if (slug !== null) return slug;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function takePictures(browser: Browser, accountId: string, codeId: string): Promise<void> {
  const { one_time_link } = await send(`/admin/v1/accounts/${accountId}/users`, {
    email: "ada@example.com",
    role: "owner",
  });
  const context = await browser.newContext({
    viewport: { width: 1200, height: 880 },
    locale: "en-GB",
    colorScheme: "light",
  });
  await context.request.post(`${url}/dashboard/api/password`, {
    data: { token: new URL(one_time_link).hash.slice(1), password: "only for the pictures" },
    headers: { origin: url },
  });
  const page = await context.newPage();
  for (const [name, path, scheme] of [
    ["overview", "", "light"],
    ["code", `/codes/${codeId}`, "light"],
    ["analytics", `/codes/${codeId}/analytics`, "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${url}/dashboard${path}`);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(folder, `dashboard-${name}.png`) });
  }
}
