import type { AccessWorld } from "./access-world.ts";

/** A credential, wherever it is put: in headers, in the query. */
export type Credential = (world: AccessWorld) => { headers?: Record<string, string>; query?: string };

type Secret = (world: AccessWorld) => string;

const apiKey =
  (key: Secret): Credential =>
  (world) => ({ headers: { "x-api-key": key(world) } });
const bearer =
  (token: Secret): Credential =>
  (world) => ({ headers: { authorization: `Bearer ${token(world)}` } });
const basic = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString("base64");

export const credentials = {
  "no key": () => ({}),
  "an empty key": apiKey(() => ""),
  "a malformed key": apiKey(() => "not-a-key"),
  "a key cut short": apiKey(({ owner }) => owner.key.slice(0, -1)),
  "an unknown key": apiKey(() => `api_live_${"z".repeat(32)}`),
  "a revoked key": apiKey(({ revokedKey }) => revokedKey),
  "a key of an account without API access": apiKey(({ disabledKey }) => disabledKey),
  "the admin token as a key": apiKey(({ adminToken }) => adminToken),
  "a key as a bearer": bearer(({ owner }) => owner.key),
  "a key in the query": ({ owner: { key } }) => ({ query: `x-api-key=${key}&api_key=${key}` }),
  "a key as a cookie": ({ owner }) => ({ headers: { cookie: `x-api-key=${owner.key}` } }),
  "a session of a user": ({ sessions }) => ({ headers: { cookie: sessions.user } }),
  "a session of the operator": ({ sessions }) => ({ headers: { cookie: sessions.operator } }),
  "the owner's key": apiKey(({ owner }) => owner.key),
  "another account's key": apiKey(({ stranger }) => stranger.key),
  "a wrong admin token": bearer(() => "wrong-admin-token-of-any-kind"),
  "an admin token cut short": bearer(({ adminToken }) => adminToken.slice(0, -1)),
  "the admin token without a scheme": ({ adminToken }) => ({ headers: { authorization: adminToken } }),
  "the admin token as Basic": ({ adminToken }) => ({
    headers: { authorization: `Basic ${basic("admin", adminToken)}` },
  }),
  "the admin token in the query": ({ adminToken }) => ({
    query: `token=${adminToken}&access_token=${adminToken}`,
  }),
  "the admin token": bearer(({ adminToken }) => adminToken),
} satisfies Record<string, Credential>;

export type CredentialName = keyof typeof credentials;
export const credentialNames = Object.keys(credentials) as CredentialName[];
