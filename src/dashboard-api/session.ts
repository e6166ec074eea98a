/** `/dashboard/api/session` and `/dashboard/api/password`: who is there, and how they come in. */

import type { Directory } from "../account/directory.ts";
import { accountFields } from "../api/admin/accounts.ts";
import { get, type Operation, patch, post, remove, type Sent, takesJson } from "../api/operation.ts";
import type { Plans } from "../domain/account/plans.ts";
import type {
  ChangePasswordBody,
  OneTimeLinkBody,
  SetPasswordBody,
  SignInBody,
} from "../domain/dashboard-requests.ts";
import type { SessionDoc, UserDoc } from "../domain/documents.ts";
import { invalidField } from "../domain/errors.ts";
import { iso } from "../domain/timestamps.ts";
import type { AdminGuard } from "../door/admin-guard.ts";
import type { PageCall, UserCall } from "../door/route.ts";
import type { SessionGuard } from "../door/session-guard.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Reply, success } from "../http/reply.ts";
import { answerExamples, requestExamples } from "../openapi/examples.ts";
import { jsonAnswer } from "../openapi/operation.ts";
import type { Asker } from "../people/passwords.ts";
import type { People } from "../people/people.ts";
import type { NewSession } from "../people/sessions.ts";
import { parsers } from "../schema/validators.ts";
import { originOf } from "../visitor/client-address.ts";

export interface SignInParts {
  people: People;
  sessionGuard: SessionGuard;
  adminGuard: AdminGuard;
  directory: Pick<Directory, "account" | "usage">;
  plans: Plans;
  publicUrl(): string;
}

/** Whoever has a session left it with a new one: it ends. */
async function postSession(call: PageCall, parts: SignInParts, { value }: Sent<SignInBody>): Promise<Reply> {
  const left = await parts.sessionGuard.find(call.page);
  const opened = await signedIn(call, parts, value);
  if (left !== null) await parts.people.signOut(left.session);
  return opened;
}

async function signedIn(call: PageCall, parts: SignInParts, body: SignInBody): Promise<Reply> {
  if (body.admin_token !== undefined) {
    parts.adminGuard.check(`Bearer ${body.admin_token}`, call.client);
    return opened(call.exchange, null, await parts.people.openForOperator(), parts);
  }
  const { email, password } = body;
  if (email === undefined) throw invalidField("email", "is required");
  if (password === undefined) throw invalidField("password", "is required");
  const session = await parts.people.signIn(email, password, askerOf(call));
  return opened(call.exchange, session.user, session, parts);
}

async function getSession({ exchange, page }: PageCall, parts: SignInParts): Promise<Reply> {
  const found = await parts.sessionGuard.require(page);
  const user = found.kind === "user" ? found.user : null;
  return success(exchange.requestId, await sessionFields(user, found.session, parts));
}

async function deleteSession({ exchange, page }: PageCall, parts: SignInParts): Promise<Reply> {
  const found = await parts.sessionGuard.find(page);
  if (found !== null) await parts.people.signOut(found.session);
  const reply = success(exchange.requestId, {});
  return { ...reply, headers: [...reply.headers, parts.sessionGuard.taken()] };
}

async function postOneTimeLink(
  { exchange }: PageCall,
  { people, directory }: SignInParts,
  { value }: Sent<OneTimeLinkBody>,
): Promise<Reply> {
  const user = await people.ofLink(value.token);
  const account = await directory.account(user.account_id);
  const expires_at = iso(user.one_time_link!.expires_at);
  return success(exchange.requestId, { email: user.email, account_name: account.name, expires_at });
}

async function postPassword(
  call: PageCall,
  parts: SignInParts,
  { value }: Sent<SetPasswordBody>,
): Promise<Reply> {
  const session = await parts.people.setPassword(value.token, value.password, askerOf(call));
  return opened(call.exchange, session.user, session, parts);
}

async function patchPassword(
  call: UserCall,
  parts: SignInParts,
  { value }: Sent<ChangePasswordBody>,
): Promise<Reply> {
  const { current_password, password } = value;
  const session = await parts.people.changePassword(call.user, current_password, password, askerOf(call));
  return opened(call.exchange, session.user, session, parts);
}

function askerOf({ exchange, client }: PageCall): Asker {
  return { origin: originOf(client), unwanted: exchange.unwanted };
}

async function opened(
  exchange: Exchange,
  user: UserDoc | null,
  { session, secret }: NewSession,
  parts: SignInParts,
): Promise<Reply> {
  const reply = success(exchange.requestId, await sessionFields(user, session, parts));
  return { ...reply, headers: [...reply.headers, parts.sessionGuard.given(secret)] };
}

async function sessionFields(user: UserDoc | null, session: SessionDoc, parts: SignInParts) {
  const { directory, plans, publicUrl } = parts;
  const told = { expires_at: iso(session.expires_at), public_url: publicUrl() };
  if (user === null) {
    const nobody = { user: null, account: null, features: null };
    return { kind: "operator", ...nobody, plans: [...plans.keys()], ...told };
  }
  const account = await directory.account(user.account_id);
  const { creates, advanced } = plans.get(account.plan) ?? { creates: false, advanced: false };
  return {
    kind: "user",
    user: { user_id: user.id, email: user.email, role: user.role },
    account: await accountFields(account, parts),
    features: { creates, advanced },
    plans: [],
    ...told,
  };
}

const theSession = jsonAnswer(200, "Who is signed in.", "SessionAnswer", answerExamples.session);
const given = { ...theSession, headers: { "Set-Cookie": "SessionCookie" } };

export const sessionOperations: readonly Operation<SignInParts>[] = [
  {
    id: "getSession",
    ...get("/dashboard/api/session"),
    tag: "Session",
    summary: "Who is signed in, with the account and its usage",
    access: "page",
    handler: getSession,
    answers: [theSession],
    errors: ["unauthorized", "rate_limited", "rate_limit_minute"],
  },
  {
    id: "signIn",
    ...post("/dashboard/api/session"),
    tag: "Session",
    summary: "Sign in",
    access: "page",
    ...takesJson(
      parsers.SignInBody,
      { user: requestExamples.signIn, operator: requestExamples.signInOperator },
      postSession,
    ),
    answers: [given],
    errors: ["unauthorized", "rate_limited"],
  },
  {
    id: "signOut",
    ...remove("/dashboard/api/session"),
    tag: "Session",
    summary: "Sign out",
    access: "page",
    handler: deleteSession,
    answers: [
      jsonAnswer(200, "Nobody is signed in.", "SignedOutAnswer", answerExamples.signedOut, {
        "Set-Cookie": "SessionCookie",
      }),
    ],
  },
  {
    id: "readOneTimeLink",
    ...post("/dashboard/api/one-time-link"),
    tag: "Session",
    summary: "Whose one-time link it is",
    description: "The link stays good.",
    access: "page",
    ...takesJson(parsers.OneTimeLinkBody, { link: requestExamples.oneTimeLink }, postOneTimeLink),
    answers: [jsonAnswer(200, "Whose it is.", "OneTimeLinkAnswer", answerExamples.oneTimeLink)],
    errors: ["one_time_link_over"],
  },
  {
    id: "setPassword",
    ...post("/dashboard/api/password"),
    tag: "Session",
    summary: "Set a password with a one-time link, and sign in",
    description: "The link is used up, and earlier sessions of the user end.",
    access: "page",
    ...takesJson(parsers.SetPasswordBody, { first: requestExamples.setPassword }, postPassword),
    answers: [given],
    errors: ["one_time_link_over"],
  },
  {
    id: "changePassword",
    ...patch("/dashboard/api/password"),
    tag: "Session",
    summary: "Change one's password",
    description: "All other sessions of the user end.",
    access: "user",
    ...takesJson(parsers.ChangePasswordBody, { other: requestExamples.changePassword }, patchPassword),
    answers: [given],
  },
];
