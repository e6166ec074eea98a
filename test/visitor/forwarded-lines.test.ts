/** Proxies that add a line instead of lengthening one: all lines count, and the client's come first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongTokensMax } from "../../src/limits.ts";
import { parseTrustedProxies } from "../../src/visitor/client-address.ts";
import { code, startScans, storeWith, testSlug } from "../fakes/scan-server.ts";
import { startServer } from "../support/server.ts";
import { openRaw, rawRequest } from "../support/wire/raw-http.ts";

const inGermany = "198.51.100.49";
const inFrance = "198.51.100.33";
const countries: Record<string, string> = { [inGermany]: "DE", [inFrance]: "FR", "127.0.0.1": "XX" };

/** The answer to one request with exactly these header lines. */
async function answerTo(url: string, path: string, lines: readonly string[]): Promise<string> {
  const connection = await openRaw(url);
  connection.socket.write(rawRequest("GET", path, [...lines, "Connection: close"]));
  const answer = await connection.until("\r\n\r\n");
  connection.socket.destroy();
  return answer;
}

const rules = ["DE", "FR"].map((value) => ({
  condition: "country" as const,
  value,
  url: `https://example.com/${value}`,
}));
const scans = await startScans({
  store: await storeWith(code(1, { redirect_rules: rules })),
  trustedProxies: parseTrustedProxies("127.0.0.1,10.0.0.0/8"),
  countries: { lookup: (address) => countries[address] ?? null },
  countryHeader: "cf-ipcountry",
});
const server = await startServer({ env: { TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" } });

const cases: [name: string, lines: string[], country: string][] = [
  ["one line", [`X-Forwarded-For: ${inGermany}`], "DE"],
  ["the proxy's line is the last", [`X-Forwarded-For: ${inFrance}`, `X-Forwarded-For: ${inGermany}`], "DE"],
  [
    "lines with several entries, through a second proxy",
    [`X-Forwarded-For: 1.1.1.1, ${inFrance}`, "Accept: */*", `x-forwarded-for: ${inGermany}, 10.0.0.7`],
    "DE",
  ],
  [
    "a line of proxies only is walked through",
    [`X-Forwarded-For: ${inGermany}`, "X-Forwarded-For: 10.0.0.7"],
    "DE",
  ],
  ["an empty line first hides nothing", ["X-Forwarded-For:", `X-Forwarded-For: ${inGermany}`], "DE"],
  ["the country header", ["CF-IPCountry: FR", `X-Forwarded-For: ${inGermany}`], "FR"],
  [
    "a country header that comes twice counts as absent",
    ["CF-IPCountry: FR", "CF-IPCountry: FR", `X-Forwarded-For: ${inGermany}`],
    "DE",
  ],
  [
    "also when it contradicts itself, or is empty once",
    ["CF-IPCountry:", "cf-ipcountry: FR", `X-Forwarded-For: ${inGermany}`],
    "DE",
  ],
];

for (const [name, lines, country] of cases) {
  test(`scans: ${name}`, async () => {
    const path = `/${testSlug(1)}`;
    for (const heat of ["cold or hot", "hot"]) {
      const answer = await answerTo(`http://127.0.0.1:${scans.port}`, path, lines);
      assert.match(answer, new RegExp(`\r\nLocation: https://example.com/${country}\r\n`), heat);
    }
  });
}

test("the guard of admin tokens: a client cannot dodge it with lines of its own", async () => {
  const guess = async (claimed: string, real: string) => {
    const lines = [
      `X-Forwarded-For: ${claimed}`,
      `X-Forwarded-For: ${real}`,
      "Authorization: Bearer wrong-token-of-this-test",
    ];
    return /^HTTP\/1\.1 (\d+)/.exec(await answerTo(server.url, "/admin/v1/accounts", lines))?.[1];
  };
  for (let at = 0; at < wrongTokensMax; at++) {
    assert.equal(await guess(`203.0.113.${at}`, "198.51.100.1"), "401");
  }
  assert.equal(await guess("203.0.113.200", "198.51.100.1"), "429");
  assert.equal(await guess("198.51.100.1", "198.51.100.2"), "401", "nor blame others");
});
