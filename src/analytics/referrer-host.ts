/** Scheme, host, perhaps a port, then a path or nothing. A user name before the host is not for us to keep. */
const referrerForm = /^[a-z][a-z0-9+.-]*:\/\/([a-z0-9.-]{1,253})(?::\d{0,5})?(?:[/?#]|$)/i;

/** The host of a `Referer`, in lower case; `other` for what has no plain one. */
export function referrerHost(referer: string): string {
  return referrerForm.exec(referer)?.[1]?.toLowerCase() ?? "other";
}
