import assert from "node:assert/strict";
import { test } from "node:test";
import { countryFromHeader, openCountries } from "../../src/visitor/country.ts";

const countries = openCountries();

const known: [address: string, country: string | null][] = [
  ["8.8.8.8", "US"],
  ["193.0.6.139", "NL"],
  ["200.160.2.3", "BR"],
  ["202.12.27.33", "JP"],
  ["2001:4860:4860::8888", "US"],
  ["2001:4860:4860:0000:0000:0000:0000:8888", "US"],
  ["2a01:4f8::1", "DE"],
  ["127.0.0.1", null],
  ["10.0.0.1", null],
  ["::1", null],
  ["fe80::1%eth0", null],
  ["not an address", null],
  ["", null],
];

for (const [address, country] of known) {
  test(`"${address}" is in ${country ?? "no known country"}`, () => {
    assert.equal(countries.lookup(address), country);
    assert.equal(countries.lookup(address), country, "the kept answer differs");
  });
}

test("the kept answers stay bounded and right over many addresses", () => {
  const address = (index: number) => `8.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const first = countries.lookup(address(1));
  for (let index = 0; index < 50_000; index += 1) countries.lookup(address(index));
  assert.equal(countries.lookup(address(1)), first);
});

test("a header's country is taken in any case, its ways of saying unknown are not", () => {
  assert.equal(countryFromHeader("de"), "DE");
  assert.equal(countryFromHeader(" AT "), "AT");
  for (const value of ["", "XX", "T1", "ZZ", "EU", "Germany"]) assert.equal(countryFromHeader(value), null);
});

test("a file that is missing or no database is refused at once", () => {
  assert.throws(() => openCountries("/nonexistent/country.mmdb"), /country\.mmdb/);
  assert.throws(() => openCountries(import.meta.filename), /country\.test\.ts/);
});
