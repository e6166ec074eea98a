/** Who is signed in, and how they come and go. */
import type { Account, Envelope } from "../../schema/responses.ts";
import { call, sessionPath } from "./client.ts";

export type Role = "owner" | "member";

export interface Features {
  /** The plan lets codes be made. */
  creates: boolean;
  /** The plan has rules, expiry and limits. */
  advanced: boolean;
}

interface Common {
  expires_at: string;
  /** Before the slug of every link. */
  public_url: string;
}

export interface UserMe extends Common {
  kind: "user";
  user: { user_id: string; email: string; role: Role };
  account: Account;
  features: Features;
}

export interface OperatorMe extends Common {
  kind: "operator";
  /** Names of the plans that are configured. */
  plans: string[];
}

export type Me = UserMe | OperatorMe;

export function readSession(): Promise<Me> {
  return call("GET", sessionPath);
}

export function signIn(
  credentials: { email: string; password: string } | { admin_token: string },
): Promise<Me> {
  return call("POST", sessionPath, { body: credentials });
}

export function signOut(): Promise<Envelope> {
  return call("DELETE", sessionPath);
}

export interface OneTimeLink {
  email: string;
  account_name: string;
  expires_at: string;
}

export function readOneTimeLink(token: string): Promise<OneTimeLink> {
  return call("POST", "/one-time-link", { body: { token } });
}

export function setPassword(token: string, password: string): Promise<Me> {
  return call("POST", "/password", { body: { token, password } });
}

export function changePassword(current: string, password: string): Promise<Me> {
  return call("PATCH", "/password", { body: { current_password: current, password } });
}
