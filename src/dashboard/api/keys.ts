/** Keys of the public API. */
import type { OwnKey } from "../../schema/dashboard-responses.ts";
import type { Key, KeyCreatedAnswer } from "../../schema/responses.ts";
import { call } from "./client.ts";

export async function listKeys(signal?: AbortSignal): Promise<OwnKey[]> {
  return (await call<{ items: OwnKey[] }>("GET", "/keys", { signal })).items;
}

export function createKey(name: string): Promise<KeyCreatedAnswer> {
  return call("POST", "/keys", { body: name === "" ? {} : { name } });
}

export function renameKey(id: string, name: string): Promise<Key> {
  return call("PATCH", `/keys/${encodeURIComponent(id)}`, { body: { name } });
}

export function revokeKey(id: string): Promise<Key> {
  return call("DELETE", `/keys/${encodeURIComponent(id)}`);
}
