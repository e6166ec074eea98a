/** Time zones to choose from: those that the browser knows, and the present one whatever it is. */
export function zoneOptions(present: string): readonly (readonly [string, string])[] {
  const known = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), present]);
  return [...known].sort().map((name) => [name, name.replaceAll("_", " ")] as const);
}
