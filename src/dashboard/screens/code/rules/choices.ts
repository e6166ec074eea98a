/** Devices and countries to choose from. */
import { assignedCountries } from "../../../../domain/countries.ts";
import type { Option } from "../../../parts/field.tsx";
import { countryName } from "../../../words/numbers.ts";

export const deviceOptions: readonly Option[] = [
  ["ios", "iPhone or iPad"],
  ["android", "Android"],
  ["desktop", "Computer"],
];

let countries: readonly Option[] | null = null;

/** By name, in the order of the reader's language. */
export function countryOptions(): readonly Option[] {
  if (countries === null) {
    const { compare } = new Intl.Collator();
    countries = assignedCountries
      .map((code): Option => [code, countryName(code)])
      .sort(([, one], [, other]) => compare(one, other));
  }
  return countries;
}
