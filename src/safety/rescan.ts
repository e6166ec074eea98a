import { setImmediate as nextTurn } from "node:timers/promises";
import type { Directory } from "../actor/directory.ts";
import { blockCode } from "../domain/codes.ts";
import type { CodeDoc } from "../domain/documents.ts";
import { isUnsafe, type UrlPolicy } from "../domain/url-safety.ts";
import { rescanPageCodes } from "../limits.ts";
import type { Store } from "../store/store.ts";

export interface RescanResult {
  checked: number;
  blocked: number;
}

/** Blocks every active code that leads somewhere unsafe. Goes page by page and lets traffic pass in between. */
export async function rescan(
  store: Pick<Store, "walk">,
  directory: Pick<Directory, "run">,
  policy: () => UrlPolicy,
): Promise<RescanResult> {
  const result = { checked: 0, blocked: 0 };
  for (let after: string | null = null; ; ) {
    const page: CodeDoc[] = await store.walk("codes", after, rescanPageCodes);
    for (const code of page) {
      if (code.status !== "active") continue;
      result.checked++;
      if (leadsAstray(code, policy()) && (await directory.run(code.account_id, blockCode(code.id))))
        result.blocked++;
    }
    if (page.length < rescanPageCodes) return result;
    after = page.at(-1)!.id;
    await nextTurn();
  }
}

function leadsAstray(code: CodeDoc, policy: UrlPolicy): boolean {
  const targets = code.redirect_rules.map((rule) => rule.url);
  if (code.type !== "text") targets.push(code.redirect_url);
  return targets.some((target) => isUnsafe(target, policy) !== null);
}
