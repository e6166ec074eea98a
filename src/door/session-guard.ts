/**
 * The door of the pages: who is there is told by a cookie, and whatever changes something must come from a page of our
 * own.
 *
 * The cookie is for this host alone (`__Host-`), out of reach of scripts, and not sent when another site asks
 * (`SameSite=Strict`). Every browser of today keeps to that; the look at `Origin` and `Sec-Fetch-Site` is for those that
 * do not, and for sites under the same registered name, which count as the same site. A request that names no origin
 * is refused: browsers name it with every change.
 *
 * On `http://localhost` the cookie has a plain name, since browsers want TLS for the other one even there.
 */
import { ApiError } from "../domain/errors.ts";
import { cookieIn, type PageHead } from "../http/page-head.ts";
import { sessionMs } from "../limits.ts";
import type { Sessions, SignedIn } from "../people/sessions.ts";

export interface SessionGuard {
  /** Throws 403 when a change was not asked for by a page of ours. */
  requireOwnPage(method: string, page: PageHead): void;
  /** Whoever is signed in, or null. */
  find(page: PageHead): Promise<SignedIn | null>;
  /** The same, but throws 401 for nobody, and 429 when the session has asked too often. */
  require(page: PageHead): Promise<SignedIn>;
  /** The header that gives the browser its session, and that takes it away. */
  given(secret: string): readonly [name: string, value: string];
  taken(): readonly [name: string, value: string];
}

export interface SessionGuardOptions {
  sessions: Pick<Sessions, "holder" | "take">;
  /** Known when the service listens. */
  publicUrl(): string;
}

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

export function openSessionGuard({ sessions, publicUrl }: SessionGuardOptions): SessionGuard {
  let own: { url: string; origins: ReadonlySet<string>; cookie: string } | null = null;

  function site() {
    const url = publicUrl();
    if (own?.url !== url) own = { url, origins: originsOf(url), cookie: cookieNameOf(url) };
    return own;
  }

  const find = (page: PageHead) => sessions.holder(cookieIn(page.cookie, site().cookie));
  const header = (value: string, seconds: number) =>
    [
      "set-cookie",
      `${site().cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`,
    ] as const;

  return {
    requireOwnPage(method, { origin, site: from }) {
      if (method === "GET" || method === "HEAD") return;
      const isOwn = site().origins.has(origin) && (from === "" || from === "same-origin");
      if (isOwn) return;
      throw new ApiError("forbidden", `This can only be asked for by a page of ${publicUrl()} itself.`);
    },
    find,
    async require(page) {
      const found = await find(page);
      if (found === null) throw new ApiError("unauthorized", "Nobody is signed in, or not any more.");
      sessions.take(found.session);
      return found;
    },
    given: (secret) => header(secret, sessionMs / 1000),
    taken: () => header("", 0),
  };
}

/** Of an address of this very machine any name will do: people take what they see first. */
function originsOf(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl);
  if (!localHosts.includes(url.hostname)) return new Set([url.origin]);
  const port = url.port === "" ? "" : `:${url.port}`;
  return new Set(localHosts.map((host) => `${url.protocol}//${host}${port}`));
}

function cookieNameOf(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "http:" && localHosts.includes(hostname) ? "qrelay" : "__Host-qrelay";
}

/** Who asks, when it must be a user of an account. */
export function requireUser(found: SignedIn, role: "user" | "owner"): SignedIn & { kind: "user" } {
  if (found.kind !== "user") throw new ApiError("forbidden", "The operator has no account of their own.");
  if (role === "owner" && found.user.role !== "owner") {
    throw new ApiError("forbidden", "Only owners of the account may do this.");
  }
  return found;
}

export function requireOperator(found: SignedIn): void {
  if (found.kind !== "operator") throw new ApiError("forbidden", "Only the operator may do this.");
}
