/** Looking at a code, and the changes to it that no client asks for. */

import type { Millis } from "../../runtime/clock.ts";
import { requireCap } from "../account/entitlement.ts";
import type { AccountView, Command, Effect, Need } from "../command.ts";
import type { AccountDoc, CodeDoc, FileDoc, RenderState, Write } from "../documents.ts";
import { ApiError } from "../errors.ts";
import { type FieldRules, fieldsOf } from "./code-fields.ts";
import { rendered, renderFailed, wantsImage } from "./render-state.ts";

/** Does something with a code that must be there, archived or not. */
export function onCode<R>(
  id: string,
  apply: (code: CodeDoc, view: AccountView, now: Millis) => Effect<R>,
): Command<R> {
  return onCodeIfThere(id, (code, view, now) => {
    if (code === null) throw new ApiError("qr_not_found");
    return apply(code, view, now);
  });
}

/** The same with one that may not be there. */
function onCodeIfThere<R>(
  id: string,
  apply: (code: CodeDoc | null, view: AccountView, now: Millis) => Effect<R>,
): Command<R> {
  const needs: Need[] = [{ collection: "codes", id }];
  return { needs: () => needs, apply: (view, now) => apply(view.code(id), view, now) };
}

/** Counts so many more codes as active. Written out, since a copy of a copy of a copy is slow to make and to read. */
export function activeCodes({ account }: AccountView, more: number): Write {
  const put: AccountDoc = {
    id: account.id,
    name: account.name,
    plan: account.plan,
    timezone: account.timezone,
    api_access: account.api_access,
    limits: account.limits,
    default_project_id: account.default_project_id,
    active_codes: account.active_codes + more,
    project_count: account.project_count,
    created_at: account.created_at,
    updated_at: account.updated_at,
  };
  return { collection: "accounts", put };
}

export function readCode(id: string): Command<CodeDoc> {
  return onCode(id, (code) => {
    if (code.status === "archived") throw new ApiError("qr_not_found");
    return { answer: code, writes: [] };
  });
}

/** Archived or not. */
export function readAnyCode(id: string): Command<CodeDoc> {
  return onCode(id, (code) => ({ answer: code, writes: [] }));
}

export interface RenderedFiles {
  version: number;
  svg: { hash: string; bytes: Uint8Array };
  png: { hash: string; bytes: Uint8Array } | null;
}

/** Puts new images into service. Images of a version that is not wanted any more are dropped: answer false. */
export function finishRender(id: string, files: RenderedFiles): Command<boolean> {
  return ifWanted(id, files.version, (code, now) => {
    const render = rendered(code.render, { svg: files.svg.hash, png: files.png?.hash ?? null }, now);
    const writes: Write[] = [{ collection: "codes", put: { ...code, render } }];
    for (const [kind, file] of [["svg", files.svg] as const, ["png", files.png] as const]) {
      const old = code.render[kind];
      if (file !== null && file.hash !== old) {
        const put: FileDoc = {
          id: fileId(code.id, file.hash, kind),
          account_id: code.account_id,
          bytes: file.bytes,
        };
        writes.push({ collection: "files", put });
      }
      if (old !== null && old !== file?.hash) {
        writes.push({ collection: "files", remove: fileId(code.id, old, kind) });
      }
    }
    return writes;
  });
}

export function failRender(id: string, version: number, error: string, final: boolean): Command<boolean> {
  return ifWanted(id, version, (code) => [
    { collection: "codes", put: { ...code, render: renderFailed(code.render, error, final) } },
  ]);
}

export function fileId(codeId: string, hash: string, kind: keyof Pick<RenderState, "svg" | "png">): string {
  return `${codeId}/${hash}.${kind}`;
}

/** Takes an active code out of service because its target is unsafe: answer true when it was in service. */
export function blockCode(id: string): Command<boolean> {
  return onCodeIfThere(id, (code, view, now) => {
    if (code === null || code.status !== "active") return { answer: false, writes: [] };
    const blocked: CodeDoc = { ...code, status: "blocked", blocked: true, updated_at: now };
    return { answer: true, writes: [{ collection: "codes", put: blocked }, activeCodes(view, -1)] };
  });
}

/**
 * Lifts the block of a code whose targets are safe again. It goes back into service and, like a new code, needs
 * room under the cap; one that its owner has archived stays archived, and may be activated from now on. A code
 * that is not blocked stays as it is.
 */
export function unblockCode(id: string, rules: FieldRules): Command<CodeDoc> {
  return onCode(id, (code, view, now) => {
    if (!code.blocked) return { answer: code, writes: [] };
    const isArchived = code.status === "archived";
    if (!isArchived) requireCap(view);
    refuseUnsafeTargets(code, rules);
    const status = isArchived ? "archived" : "active";
    const unblocked: CodeDoc = { ...code, status, blocked: false, updated_at: now };
    const writes: Write[] = [{ collection: "codes", put: unblocked }];
    if (!isArchived) writes.push(activeCodes(view, 1));
    return { answer: unblocked, writes };
  });
}

function refuseUnsafeTargets(code: CodeDoc, rules: FieldRules): void {
  const target = code.text !== null ? null : rules.checkUrl("redirect_url", code.redirect_url).unsafe;
  const unsafe = target ?? fieldsOf({ redirect_rules: code.redirect_rules }, rules).unsafe;
  if (unsafe !== null) throw unsafe;
}

function ifWanted(
  id: string,
  version: number,
  change: (code: CodeDoc, now: number) => Write[],
): Command<boolean> {
  return onCodeIfThere(id, (code, _view, now) => {
    const wanted = code !== null && code.render.version === version && wantsImage(code.render);
    return wanted ? { answer: true, writes: change(code, now) } : { answer: false, writes: [] };
  });
}
