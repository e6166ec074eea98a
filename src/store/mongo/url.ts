/**
 * URLs of MongoDB: which can be used, and what may be shown of them.
 *
 * A password with a sign that must be escaped and is not (`@`, `/`, `?`) moves the seams of a URL: the driver takes
 * a part of it for a host or a port, and names that part in its errors. So a URL is only handed to the driver when
 * its seams are where they seem to be.
 */
const host = String.raw`(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?`;
const usable = new RegExp(
  String.raw`^mongodb(?:\+srv)?://(?:[^@/?#\s]+@)?${host}(?:,${host})*(?:/[^@/?#\s]*)?(?:\?[^@#\s]*)?$`,
);

export const mongoUrlForm =
  "a mongodb:// or mongodb+srv:// URL, with all but letters and digits of its user and password escaped (%40 for @)";

export function isMongoUrl(text: string): boolean {
  return usable.test(text);
}

/** A text of whatever form, fit to be shown: none of it when it may hold a password. */
export function withoutPassword(text: string): string {
  return text.includes("@") ? "(not shown: it may hold a password)" : text;
}

/** A text with whole URLs in it, without their credentials. */
export function withoutUserInfo(text: string): string {
  return text.replace(/\/\/\S*@/g, "//…@");
}

/** A message of the driver without the credentials of the URL that it was given. */
export function withoutCredentialsOf(url: string, message: string): string {
  const credentials = /^[^/]*\/\/(.*)@/s.exec(url)?.[1];
  if (!credentials) return message;
  const password = credentials.slice(credentials.indexOf(":") + 1);
  return [credentials, password, decoded(password)].reduce(
    (shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "…")),
    message,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
