/** Who is signed in, and how they come and go. */
import type {
  Features,
  OneTimeLinkAnswer,
  SessionAnswer,
  SignedInUser,
} from "../../schema/dashboard-responses.ts";
import type { Account, Envelope } from "../../schema/responses.ts";
import { call, sessionPath } from "./client.ts";

type Common = Pick<SessionAnswer, "expires_at" | "public_url">;

/** What the answer has for a user, and for the operator. */
export type UserMe = Common & { kind: "user"; user: SignedInUser; account: Account; features: Features };
type OperatorMe = Common & { kind: "operator" } & Pick<SessionAnswer, "plans">;

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

export function readOneTimeLink(token: string): Promise<OneTimeLinkAnswer> {
  return call("POST", "/one-time-link", { body: { token } });
}

export function setPassword(token: string, password: string): Promise<Me> {
  return call("POST", "/password", { body: { token, password } });
}

export function changePassword(current: string, password: string): Promise<Me> {
  return call("PATCH", "/password", { body: { current_password: current, password } });
}
