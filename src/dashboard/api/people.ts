/** The users of an account: of one's own, or, for the operator, of any. */
import { call } from "./client.ts";
import type { Role } from "./session.ts";

export interface User {
  user_id: string;
  email: string;
  role: Role;
  has_password: boolean;
  /** Until when the one-time link is good that was given out last; null when there is none. */
  invited_until: string | null;
  signed_in_at: string | null;
  created_at: string;
}

export interface Invited extends User {
  one_time_link: string;
  expires_at: string;
}

/** Whose people: null is the account of who is signed in. */
type Whose = string | null;

export async function listUsers(whose: Whose, signal?: AbortSignal): Promise<User[]> {
  return (await call<{ items: User[] }>("GET", pathOf(whose), signal && { signal })).items;
}

export function inviteUser(whose: Whose, email: string, role: Role): Promise<Invited> {
  return call("POST", pathOf(whose), { body: { email, role } });
}

export function changeRole(whose: Whose, id: string, role: Role): Promise<User> {
  return call("PATCH", `${pathOf(whose)}/${encodeURIComponent(id)}`, { body: { role } });
}

export function resetUser(whose: Whose, id: string): Promise<Invited> {
  return call("POST", `${pathOf(whose)}/${encodeURIComponent(id)}/reset`, { body: {} });
}

export function removeUser(whose: Whose, id: string): Promise<User> {
  return call("DELETE", `${pathOf(whose)}/${encodeURIComponent(id)}`);
}

function pathOf(whose: Whose): string {
  return whose === null ? "/users" : `/admin/v1/accounts/${encodeURIComponent(whose)}/users`;
}
