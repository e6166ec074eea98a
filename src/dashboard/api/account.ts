/** The account of who is signed in. */
import type { Account } from "../../schema/responses.ts";
import { call } from "./client.ts";

export function updateAccount(body: { name?: string; timezone?: string }): Promise<Account> {
  return call("PATCH", "/account", { body });
}
