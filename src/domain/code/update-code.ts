import type { Millis } from "../../runtime/clock.ts";
import { requireCap, requirePlanFor } from "../account/entitlement.ts";
import type { AccountView, Command } from "../command.ts";
import type { CodeDoc, CodeStatus, Write } from "../documents.ts";
import { ApiError, invalidField } from "../errors.ts";
import { normaliseMetadata } from "../looks/render-metadata.ts";
import type { UpdateCodeBody } from "../requests.ts";
import { activeCodes, onCode } from "./code-commands.ts";
import {
  type CheckedUrl,
  type CodeFields,
  type FieldRules,
  fieldsOf,
  refuseUnscannable,
} from "./code-fields.ts";
import { askAgain, putToRest, wake } from "./render-state.ts";

/** Changes a code. A body that changes nothing writes nothing. */
export function updateCode(id: string, body: UpdateCodeBody, rules: FieldRules): Command<CodeDoc> {
  const fields = fieldsOf(body, rules);
  const target = body.redirect_url === undefined ? null : rules.checkUrl("redirect_url", body.redirect_url);

  return onCode(id, (code, view, now) => {
    if (target !== null && code.type !== "url") {
      throw invalidField(
        "redirect_url",
        `can only be changed when type is "url", this code is "${code.type}"`,
      );
    }
    refuseOtherText(code, body.text);
    const metadata = changedMetadata(code, body, rules);
    requirePlanFor(fields, view);
    const status = changedStatus(code, body.status, view);
    refuseUnsafe(code, status, target, fields, rules);

    const edited: CodeDoc = {
      ...code,
      label: body.label ?? body.name ?? code.label,
      status,
      redirect_url: target?.href ?? code.redirect_url,
      redirect_rules: fields.redirect_rules ?? code.redirect_rules,
      expires_at: fields.expires_at === undefined ? code.expires_at : fields.expires_at,
      scan_limit: fields.scan_limit === undefined ? code.scan_limit : fields.scan_limit,
      metadata,
    };
    edited.render = renderAfter(code, edited, now);
    if (equal(code, edited)) return { answer: code, writes: [] };
    edited.updated_at = now;

    const writes: Write[] = [{ collection: "codes", put: edited }];
    const more = Number(status === "active") - Number(code.status === "active");
    if (more !== 0) writes.push(activeCodes(view, more));
    return { answer: edited, writes };
  });
}

/** What an image carries cannot be changed behind it. */
function refuseOtherText(code: CodeDoc, text: string | undefined): void {
  if (text === undefined || text === code.text) return;
  throw code.text === null
    ? invalidField("text", `is only for codes of type "text", this code is "${code.type}"`)
    : invalidField("text", "cannot be changed: the image carries it; create a new code");
}

function changedMetadata(code: CodeDoc, body: UpdateCodeBody, rules: FieldRules): CodeDoc["metadata"] {
  if (body.qr_render_metadata === undefined) return code.metadata;
  const metadata = normaliseMetadata("qr_render_metadata", body.qr_render_metadata, code.metadata);
  refuseUnscannable(metadata, code.text ?? rules.linkTo(code.slug), contentField(code));
  return metadata;
}

/** Where what the image says came from; null for a link. */
function contentField({ text, type }: CodeDoc): string | null {
  if (text === null) return null;
  return type === "text" ? "text" : "content";
}

function changedStatus(code: CodeDoc, wanted: UpdateCodeBody["status"], view: AccountView): CodeStatus {
  if (wanted === undefined || wanted === code.status) return code.status;
  if (wanted === "archived") return "archived";
  if (code.blocked) {
    throw new ApiError(
      "feature_disabled",
      "The QR code is blocked because its target was unsafe. Only the operator of the service can lift that.",
    );
  }
  requireCap(view);
  return "active";
}

/** New targets must be safe; so must the old ones when a code comes back into service. */
function refuseUnsafe(
  code: CodeDoc,
  status: CodeStatus,
  target: CheckedUrl | null,
  fields: CodeFields,
  rules: FieldRules,
): void {
  const reactivated = status === "active" && code.status !== "active";
  const url =
    target ?? (reactivated && code.text === null ? rules.checkUrl("redirect_url", code.redirect_url) : null);
  if (url?.unsafe) throw url.unsafe;
  if (fields.unsafe !== null) throw fields.unsafe;
  if (reactivated && fields.redirect_rules === undefined) {
    const { unsafe } = fieldsOf({ redirect_rules: code.redirect_rules }, rules);
    if (unsafe !== null) throw unsafe;
  }
}

function renderAfter(before: CodeDoc, after: CodeDoc, now: Millis): CodeDoc["render"] {
  let render = before.render;
  const changed = before.redirect_url !== after.redirect_url || !equal(before.metadata, after.metadata);
  if (changed) render = askAgain(render, now);
  if (after.status === "archived") return putToRest(render);
  return before.status === "archived" ? wake(render, now) : render;
}

/** Both sides come from the same constructors with the same key order. */
function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
