/** A user's documents: how one comes to be, and how it changes. Nothing here waits or asks. */
import type { UserDoc, UserRole } from "../domain/documents.ts";
import { invalidField } from "../domain/errors.ts";
import { emailCharsMax } from "../limits.ts";
import type { Millis } from "../runtime/clock.ts";
import { newId } from "../runtime/ids.ts";
import type { Random } from "../runtime/random.ts";
import { newOneTimeLink } from "./one-time-links.ts";
import { newSecret } from "./secrets.ts";

/** A user, and the token of a link that was made for them: it cannot be had again. */
export interface Invited {
  user: UserDoc;
  token: string;
}

export interface NewUser {
  accountId: string;
  email: string;
  role: UserRole;
}

/** Whoever writes to an address does not mind the case of its letters, though its host may. Ours do not. */
export function normalisedEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Good enough to tell an address from something else; whether there is a mailbox, nobody is asked. */
export function requireEmail(text: string): string {
  const email = normalisedEmail(text);
  if (email.length > emailCharsMax || !/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(email)) {
    throw invalidField("email", 'must be an e-mail address, like "ada@example.com"');
  }
  return email;
}

export function newUser({ accountId, email, role }: NewUser, now: Millis, random: Random): Invited {
  const id = newId("usr", now, random);
  const { token, kept } = newOneTimeLink(id, now, random);
  const user: UserDoc = {
    id,
    account_id: accountId,
    email: requireEmail(email),
    role,
    password: null,
    credential: newSecret(random),
    one_time_link: kept,
    signed_in_at: null,
    created_at: now,
    updated_at: now,
  };
  return { user, token };
}

/** With a link in place of any earlier one. What they sign in with stays until they use it. */
export function withOneTimeLink(user: UserDoc, now: Millis, random: Random): Invited {
  const { token, kept } = newOneTimeLink(user.id, now, random);
  return { user: { ...user, one_time_link: kept, updated_at: now }, token };
}

/** With another password: sessions that were opened before are over, and so is any link. */
export function withPassword(user: UserDoc, password: string, now: Millis, random: Random): UserDoc {
  return { ...user, password, credential: newSecret(random), one_time_link: null, updated_at: now };
}
