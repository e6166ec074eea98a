import { knownZonesMax } from "../../limits.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";

/**
 * Whether this is a time zone of the IANA database. Intl would also take bare offsets such as `+01:00`:
 * they know no daylight saving and are hardly ever what an account means, so a name must start with a letter.
 */
export function isTimezone(name: string): boolean {
  return known.get(name) === true || isFound(name);
}

/** Those that were found; what is none can be anything and is not kept. */
const known = new BoundedMap<string, true>(knownZonesMax);

function isFound(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return false;
  }
  known.set(name, true);
  return true;
}
