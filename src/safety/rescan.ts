/**
 * The re-scan: holds every code in service, and every blocked one, against the rules for targets as they are now.
 *
 * What has an unsafe target is blocked. What was blocked and has none any more is let go, as the operator would
 * do it: also the remote check must find nothing, and a code that goes back into service needs room under the cap.
 * Goes page by page, and looks at few targets in a turn of the loop.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Directory } from "../account/directory.ts";
import { blockCode, unblockCode } from "../domain/code/code-commands.ts";
import type { FieldRules } from "../domain/code/code-fields.ts";
import type { CodeDoc } from "../domain/documents.ts";
import { ApiError } from "../domain/errors.ts";
import { isUnsafe, type UrlPolicy } from "../domain/target/url-safety.ts";
import { rescanPageCodes, rescanTargetsPerTurn } from "../limits.ts";
import type { Store } from "../store/store.ts";
import { type RemotePolicy, withRemoteCheck } from "./remote-check.ts";

export interface RescanResult {
  checked: number;
  blocked: number;
  unblocked: number;
}

export interface RescanParts {
  store: Pick<Store, "walk">;
  directory: Pick<Directory, "run">;
  policy(): UrlPolicy;
  fields: FieldRules;
  remoteCheck: RemotePolicy | null;
  /** Whether this account is decided for here; without it, all are. */
  owns?(accountId: string): boolean;
}

export async function rescan(parts: RescanParts): Promise<RescanResult> {
  const { store, directory, policy, owns = () => true } = parts;
  const result = { checked: 0, blocked: 0, unblocked: 0 };
  let targetsInTurn = 0;
  for (let after: string | null = null; ; ) {
    const page: CodeDoc[] = await store.walk("codes", after, rescanPageCodes);
    for (const code of page) {
      if ((code.status === "archived" && !code.blocked) || !owns(code.account_id)) continue;
      result.checked++;
      targetsInTurn += 1 + code.redirect_rules.length;
      if (targetsInTurn >= rescanTargetsPerTurn) {
        targetsInTurn = 0;
        await nextTurn();
      }
      const unsafe = hasUnsafeTarget(code, policy());
      if (unsafe && !code.blocked) {
        if (await directory.run(code.account_id, blockCode(code.id))) result.blocked++;
      } else if (!unsafe && code.blocked && (await letGo(code, parts))) result.unblocked++;
    }
    if (page.length < rescanPageCodes) return result;
    after = page.at(-1)!.id;
  }
}

/** False when it has to stay blocked: the remote check knows better, or there is no room under the cap. */
async function letGo(code: CodeDoc, { directory, fields, remoteCheck }: RescanParts): Promise<boolean> {
  const rules = await withRemoteCheck(fields, remoteCheck, code);
  try {
    await directory.run(code.account_id, unblockCode(code.id, rules));
    return true;
  } catch (refusal) {
    if (refusal instanceof ApiError) return false;
    throw refusal;
  }
}

function hasUnsafeTarget(code: CodeDoc, policy: UrlPolicy): boolean {
  const targets = code.redirect_rules.map((rule) => rule.url);
  if (code.type !== "text") targets.push(code.redirect_url);
  return targets.some((target) => isUnsafe(target, policy) !== null);
}
