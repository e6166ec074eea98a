/**
 * The door of the pages: who is there is told by a cookie, and whatever changes something must come from a page of our
 * own.
 *
 * The cookie is for this host alone (`__Host-`), out of reach of scripts, and not sent when another site asks
 * (`SameSite=Strict`). Every browser of today keeps to that; the look at `Origin` and `Sec-Fetch-Site` is for those that
 * do not, and for sites under the same registered name, which count as the same site. A request that names no origin
 * is refused: browsers name it with every change.
 *
 * On `http://localhost` the cookie has a plain name and is not bound to TLS: not every browser takes that address for
 * a safe one. On any other address without TLS nobody can sign in, and is told so, because browsers would not keep the
 * cookie and the pages would ask for the password again and again.
 */

import type { SessionDoc } from "../domain/documents.ts";
import { ApiError } from "../domain/errors.ts";
import { cookieIn, type PageHead } from "../http/request/page-head.ts";
import { sessionMs } from "../limits.ts";
import type { Sessions, SignedIn } from "../people/sessions.ts";

export interface SessionGuard {
  /** Throws 403 when a change was not asked for by a page of ours, or by one on which nobody can be signed in. */
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
  sessions: Pick<Sessions, "holder">;
  /** Takes one request out of the session's windows. Rejects with 401 or 429 when it may not go on. */
  take(session: SessionDoc): Promise<void>;
  /** Known when the service listens. */
  publicUrl(): string;
}

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

export function openSessionGuard({ sessions, take, publicUrl }: SessionGuardOptions): SessionGuard {
  let own: Site | null = null;

  function site(): Site {
    const url = publicUrl();
    if (own?.url !== url) own = siteAt(url);
    return own;
  }

  const find = (page: PageHead) => sessions.holder(cookieIn(page.cookie, site().cookie));
  const header = (value: string, seconds: number) => {
    const { cookie, isLocal } = site();
    const secure = isLocal ? "" : " Secure;";
    return [
      "set-cookie",
      `${cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly;${secure} SameSite=Strict`,
    ] as const;
  };

  return {
    requireOwnPage(method, { origin, site: from }) {
      if (method === "GET" || method === "HEAD") return;
      const { url, origins, keepsCookies } = site();
      if (!origins.has(origin) || (from !== "" && from !== "same-origin")) {
        throw new ApiError("forbidden", `This can only be asked for by a page of ${url} itself.`);
      }
      if (keepsCookies) return;
      throw new ApiError("forbidden", "Browsers keep a session on https, and on http://localhost, alone.");
    },
    find,
    async require(page) {
      const found = await find(page);
      if (found === null) throw new ApiError("unauthorized", "Nobody is signed in, or not any more.");
      await take(found.session);
      return found;
    },
    given: (secret) => header(secret, sessionMs / 1000),
    taken: () => header("", 0),
  };
}

/** What follows from the address that the pages have. */
interface Site {
  url: string;
  origins: ReadonlySet<string>;
  cookie: string;
  /** On this very machine, and without TLS. */
  isLocal: boolean;
  /** Whether browsers keep the cookie. */
  keepsCookies: boolean;
}

function siteAt(url: string): Site {
  const { protocol, hostname, port, origin } = new URL(url);
  const isHere = localHosts.includes(hostname);
  const isLocal = isHere && protocol === "http:";
  // Of an address of this machine any name will do: people take what they see first.
  const names = localHosts.map((host) => `${protocol}//${host}${port === "" ? "" : `:${port}`}`);
  return {
    url,
    origins: new Set(isHere ? names : [origin]),
    cookie: isLocal ? "qrelay" : "__Host-qrelay",
    isLocal,
    keepsCookies: isLocal || protocol === "https:",
  };
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
