/**
 * Whether this is a time zone of the IANA database. Intl would also take bare offsets such as `+01:00`:
 * they know no daylight saving and are hardly ever what an account means, so a name must start with a letter.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
