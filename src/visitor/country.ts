/** From an address to its country, by a database file in MaxMind's format. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Reader, type Response } from "mmdb-lib";
import { isCountry } from "../domain/countries.ts";
import { countryAnswersMax, countryRecordsMax } from "../limits.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";

export interface Countries {
  /** ISO 3166-1 alpha-2, or null when the database does not know the address. */
  lookup(address: string): string | null;
}

/** Reads the whole file at once; `path` defaults to the database that comes with the service. */
export function openCountries(path: string = shippedDatabase()): Countries {
  const reader = readDatabase(path);
  const answers = new BoundedMap<string, string | null>(countryAnswersMax);
  return {
    lookup(address) {
      let country = answers.get(address);
      if (country === undefined) {
        country = countryOf(reader.get(withoutZone(address)));
        answers.set(address, country);
      }
      return country;
    },
  };
}

function readDatabase(path: string): Reader<Response> {
  const bytes = readFileSync(path);
  try {
    return new Reader<Response>(bytes, { cache: new BoundedMap(countryRecordsMax) });
  } catch (cause) {
    throw new Error(`${path} is not a country database in MaxMind's format`, { cause });
  }
}

/** What a trusted proxy says in its country header; null for its ways of saying "unknown". */
export function countryFromHeader(value: string): string | null {
  const code = value.trim().toUpperCase();
  return isCountry(code) ? code : null;
}

/** Database makers disagree on where the code stands: at the top, or under `country`. */
function countryOf(record: unknown): string | null {
  if (typeof record !== "object" || record === null) return null;
  const { country_code: flat, country } = record as { country_code?: unknown; country?: unknown };
  const nested =
    typeof country === "object" && country !== null ? (country as { iso_code?: unknown }).iso_code : country;
  const code = flat ?? nested;
  return typeof code === "string" ? countryFromHeader(code) : null;
}

function withoutZone(address: string): string {
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

function shippedDatabase(): string {
  return createRequire(import.meta.url).resolve(
    "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  );
}
