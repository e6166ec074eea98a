/** The users of an account: of one's own, or, for the operator, of any. */
import type { UserRole } from "../../domain/documents.ts";
import type { InvitedUserAnswer, User } from "../../schema/dashboard-responses.ts";
import { call } from "./client.ts";

/** Whose people: null is the account of who is signed in. */
type Whose = string | null;

export async function listUsers(whose: Whose, signal?: AbortSignal): Promise<User[]> {
  return (await call<{ items: User[] }>("GET", pathOf(whose), { signal })).items;
}

export function inviteUser(whose: Whose, email: string, role: UserRole): Promise<InvitedUserAnswer> {
  return call("POST", pathOf(whose), { body: { email, role } });
}

export function changeRole(whose: Whose, id: string, role: UserRole): Promise<User> {
  return call("PATCH", `${pathOf(whose)}/${encodeURIComponent(id)}`, { body: { role } });
}

export function resetUser(whose: Whose, id: string): Promise<InvitedUserAnswer> {
  return call("POST", `${pathOf(whose)}/${encodeURIComponent(id)}/reset`, { body: {} });
}

export function removeUser(whose: Whose, id: string): Promise<User> {
  return call("DELETE", `${pathOf(whose)}/${encodeURIComponent(id)}`);
}

function pathOf(whose: Whose): string {
  return whose === null ? "/users" : `/admin/v1/accounts/${encodeURIComponent(whose)}/users`;
}
