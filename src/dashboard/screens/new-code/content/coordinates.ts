/** Degrees as people type and paste them. */

/** With a comma where the writer's language has one; null for what is no number. */
export function degreesIn(text: string): number | null {
  const value = text.trim().replace(",", ".");
  return /^[-+]?\d+(\.\d*)?$/.test(value) ? Number(value) : null;
}

const number = /^[-+]?\d+(\.\d+)?$/;
const pointed = /^([-+]?\d+\.\d+),([-+]?\d+\.\d+)$/;

/**
 * Both at once, as maps copy them: "52.52, 13.405". Without a blank after it a comma parts two numbers when each has a
 * point of its own: "52,52" is one number.
 */
export function bothIn(text: string): [latitude: string, longitude: string] | null {
  const found = pointed.exec(text.trim());
  const [latitude, longitude, ...more] = found?.slice(1) ?? text.trim().split(/\s*;\s*|,?\s+/);
  if (latitude === undefined || longitude === undefined || more.length > 0) return null;
  return number.test(latitude) && number.test(longitude) ? [latitude, longitude] : null;
}
