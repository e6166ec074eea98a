/** The proxies that the README shows, each in front of the service with the very lines that it shows. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { call } from "../support/wire/call.ts";
import { proxies, startProxy } from "../support/wire/proxies.ts";

const server = await startServer({ env: { TRUSTED_PROXIES: "127.0.0.1", COUNTRY_HEADER: "x-country" } });

const german = "https://example.com/de";
const elsewhere = "https://example.com/";
const rule = { condition: "country", value: "DE", url: german };
const { slug } = await server.api.createRendered({ redirect_url: elsewhere, redirect_rules: [rule] });
/** An address that the country database places in Germany. */
const germanAddress = "5.9.0.1";

/** Where a scan leads that comes from this address of the machine. */
async function scan(url: string, localAddress: string, headers: Record<string, string> = {}) {
  const answer = await call(`${url}/${slug}`, { localAddress, headers });
  assert.equal(answer.status, 302, answer.body);
  return answer.headers.location;
}

for (const name of Object.keys(proxies) as (keyof typeof proxies)[]) {
  describe(name, () => {
    const skip = needs(name);

    test("scans, API calls with a chunked body, and no country but by the visitor's address", {
      skip,
    }, async () => {
      const proxy = await startProxy(name, server.url);
      assert.equal(await scan(proxy, "127.0.0.2"), elsewhere);
      const headers = {
        "x-api-key": server.key,
        "content-type": "application/json",
        "transfer-encoding": "chunked",
      };
      const body = ['{"redirect_url":', `"${elsewhere}"}`];
      const created = await call(`${proxy}/v1/qr-codes`, { method: "POST", headers }, body);
      assert.equal(created.status, 201, created.body);

      const said = { "x-forwarded-for": germanAddress };
      const forged = { ...said, "x-country": "DE" };
      assert.equal(await scan(server.url, "127.0.0.1", said), german, "the service believes its proxy");
      assert.equal(await scan(proxy, "127.0.0.2", forged), elsewhere, "and not a visitor");
      const outer = proxies[name].passesOn ? german : elsewhere;
      assert.equal(await scan(proxy, "127.0.0.1", said), outer, "a trusted proxy in front");
    });

    test("the country that the proxy tells counts", { skip }, async () => {
      const proxy = await startProxy(name, server.url, "DE");
      assert.equal(await scan(proxy, "127.0.0.2", { "x-country": "FR" }), german);
    });
  });
}

test("the README shows the lines that were tried", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const readme = read("README.md");
  for (const { file } of Object.values(proxies)) {
    const shown = read(file)
      .replaceAll("\t", "    ")
      .replaceAll(/^(?=.)/gm, "    ");
    assert.ok(readme.includes(shown), `the README does not show ${file} as it is`);
  }
});
