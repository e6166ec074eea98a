export class UsageError extends Error {
  override name = "UsageError";
}

/** The value of an option of a command line, or what it is without one. */
export function whole(
  name: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} ${text} is not usable: it must be a whole number from ${least} to ${most}`);
}
