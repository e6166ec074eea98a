/**
 * Who has signed in.
 *
 * A session is a document under the hash of what the browser holds, so whoever reads the store cannot be anybody. It is
 * good for `sessionMs`, and only as long as what it was opened with is: a user's password, or the operator's token. A
 * password that changes, or a user that goes, thereby ends all sessions with the one write that there is anyway.
 *
 * Both documents are read with every request. People ask seldom and the reads are cheap; a cache would have to be told
 * of every change, and would be wrong once. Rejected: signed cookies without a document, which nothing can end.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { noWindow } from "../domain/account/rate-window.ts";
import type { SessionDoc, UserDoc, Write } from "../domain/documents.ts";
import { sessionMs } from "../limits.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import type { Store } from "../store/store.ts";
import { hashOf, isSecret, newSecret } from "./secrets.ts";

export type SignedIn =
  | { kind: "user"; session: SessionDoc; user: UserDoc }
  | { kind: "operator"; session: SessionDoc };

export interface NewSession {
  /** For the browser, and for nobody else. */
  secret: string;
  session: SessionDoc;
}

export interface Sessions {
  /** To be stored by whoever opens it. */
  of(user: Pick<UserDoc, "id" | "account_id" | "credential">): NewSession;
  ofOperator(): NewSession;
  /** Who holds the secret; null when it opens nothing (any more). */
  holder(secret: string): Promise<SignedIn | null>;
}

export interface SessionParts {
  store: Pick<Store, "get">;
  clock: Clock;
  random: Random;
  /** With the store's own secret: whoever reads the store must not try tokens against it. */
  adminToken: string;
  secret: Uint8Array;
}

export function openSessions({ store, clock, random, adminToken, secret: key }: SessionParts): Sessions {
  const operatorCredential = createHmac("sha256", key).update(adminToken).digest("hex");

  function opened(of: Pick<SessionDoc, "account_id" | "user_id" | "credential">): NewSession {
    const secret = newSecret(random);
    const created_at = clock.now();
    const expires_at = created_at + sessionMs;
    const session = { id: hashOf(secret), ...of, created_at, expires_at, minute: noWindow, day: noWindow };
    return { secret, session };
  }

  return {
    of: ({ id, account_id, credential }) => opened({ account_id, user_id: id, credential }),
    ofOperator: () => opened({ account_id: null, user_id: null, credential: operatorCredential }),

    async holder(secret) {
      if (!isSecret(secret)) return null;
      const session = await store.get("sessions", hashOf(secret));
      if (session === null || clock.now() >= session.expires_at) return null;
      if (session.user_id === null) {
        return isEqual(session.credential, operatorCredential) ? { kind: "operator", session } : null;
      }
      const user = await store.get("users", session.user_id);
      if (user === null || user.account_id !== session.account_id) return null;
      return isEqual(session.credential, user.credential) ? { kind: "user", session, user } : null;
    },
  };
}

export function putSession(put: SessionDoc): Write {
  return { collection: "sessions", put };
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
