/** Scans as phones send them, and the wait until analytics have them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ManualClock } from "../fakes/manual-clock.ts";
import { Client } from "./client.ts";
import type { TestAccount, TestServer } from "./server.ts";

/** A proxy that is trusted says the country. */
export const countryEnv = { COUNTRY_HEADER: "x-country", TRUSTED_PROXIES: "127.0.0.1" };

const agents = {
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15",
  android: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36",
  desktop: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
  robot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
};

export interface Phone {
  device?: keyof typeof agents;
  country?: string;
  referer?: string;
}

export async function scan(
  server: TestServer,
  slug: string,
  times: number,
  { device = "ios", country, referer }: Phone = {},
): Promise<void> {
  const phone = new Client(server.url);
  const headers = {
    "user-agent": agents[device],
    ...(country && { "x-country": country }),
    ...(referer && { referer }),
  };
  for (let time = 0; time < times; time++) await phone.get(`/${slug}`, 302, headers);
}

const triesMax = 2_000;

/** Lets time go by until all that was scanned is in the store. */
export async function scansSaved({ api }: TestAccount, clock: ManualClock): Promise<void> {
  const scannedUntil = clock.now();
  for (let tries = 0; tries < triesMax; tries++) {
    const { body } = await api.get("/v2/analytics/account/trend", 200);
    if (Date.parse(body.complete_until) > scannedUntil) return;
    clock.advance(1_000);
    await sleep(1);
  }
  throw new Error("scans are not saved");
}
