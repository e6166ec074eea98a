/** What the operator of the service can see and do. */
import type { CreateAccountBody, UpdateAccountBody } from "../../domain/requests.ts";
import type { Account, Page, RescanAnswer } from "../../schema/responses.ts";
import { call } from "./client.ts";

export function listAccounts(pageToken: string | null, signal?: AbortSignal): Promise<Page<Account>> {
  return call("GET", "/admin/v1/accounts", { query: { page_size: 50, page_token: pageToken }, signal });
}

export function readAccount(id: string, signal?: AbortSignal): Promise<Account> {
  return call("GET", `/admin/v1/accounts/${encodeURIComponent(id)}`, { signal });
}

export function createAccount(body: CreateAccountBody): Promise<Account> {
  return call("POST", "/admin/v1/accounts", { body });
}

export function changeAccount(id: string, body: UpdateAccountBody): Promise<Account> {
  return call("PATCH", `/admin/v1/accounts/${encodeURIComponent(id)}`, { body });
}

export function rescan(): Promise<RescanAnswer> {
  return call("POST", "/admin/v1/safety/rescan", { body: {} });
}

export interface Health {
  isReady: boolean;
  engine: string | null;
  version: string | null;
  message: string | null;
}

/** The service's own word on whether it can serve: outside of what needs a session. */
export async function readHealth(): Promise<Health> {
  try {
    const response = await fetch("/readyz", { cache: "no-store" });
    const answer = (await response.json()) as { engine?: string; version?: string; message?: string };
    return {
      isReady: response.ok,
      engine: answer.engine ?? null,
      version: answer.version ?? null,
      message: answer.message ?? null,
    };
  } catch {
    return { isReady: false, engine: null, version: null, message: "The service could not be reached." };
  }
}
