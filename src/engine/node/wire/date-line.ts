const secondMs = 1_000;
let second = -1;
let line = "";

/** The header with the time, made once a second. */
export function dateLine(): string {
  const now = Math.floor(Date.now() / secondMs);
  if (now !== second) {
    second = now;
    line = `Date: ${new Date(now * secondMs).toUTCString()}`;
  }
  return line;
}
