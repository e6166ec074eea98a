/** A code as it is being edited, and what the service has to be told of it. */
import type { RenderMetadata } from "../../../domain/documents.ts";
import type { UpdateCodeBody } from "../../../domain/requests.ts";
import type { Code } from "../../../schema/responses.ts";
import { fromWall, toWall } from "../../words/time.ts";
import { type Looks, looksOf, type Read, readLooks } from "./looks/looks.ts";
import { draftOf, isWhole, type RuleDraft, ruleOf, sameRules } from "./rules/rule-draft.ts";

export interface Draft {
  label: string;
  url: string;
  rules: readonly RuleDraft[];
  /** On the clock of the account; empty is never. */
  expiry: string;
  /** As it was typed; empty is none. */
  limit: string;
  looks: Looks;
}

export function draftOfCode(code: Code): Draft {
  return {
    label: code.label,
    url: code.redirect_url,
    rules: code.redirect_rules.map(draftOf),
    expiry: code.expires_at === null ? "" : toWall(code.expires_at),
    limit: code.scan_limit === null ? "" : String(code.scan_limit),
    looks: looksOf(code.qr_render_metadata as RenderMetadata),
  };
}

export interface Changes {
  /** Null when there is nothing to save. */
  body: UpdateCodeBody | null;
  looks: Read;
  hasHalfRules: boolean;
}

/** Only what is different: whoever else edits the code at the same time keeps what they changed. */
export function changesOf(draft: Draft, code: Code): Changes {
  const before = draftOfCode(code);
  const body: UpdateCodeBody = {};
  if (draft.label.trim() !== before.label) body.label = draft.label.trim();
  if (draft.url.trim() !== before.url) body.redirect_url = draft.url.trim();
  if (!sameRules(draft.rules, code.redirect_rules)) {
    body.redirect_rules = draft.rules.length === 0 ? null : draft.rules.map(ruleOf);
  }
  if (draft.expiry !== before.expiry) {
    body.expires_at = draft.expiry === "" ? null : new Date(fromWall(draft.expiry)).toISOString();
  }
  if (draft.limit.trim() !== before.limit)
    body.scan_limit = draft.limit.trim() === "" ? null : Number(draft.limit);
  const looks = readLooks(draft.looks, code.qr_render_metadata as RenderMetadata);
  if (looks.changes !== null) body.qr_render_metadata = looks.changes;
  return {
    body: Object.keys(body).length === 0 && looks.problem === null ? null : body,
    looks,
    hasHalfRules: !draft.rules.every(isWhole),
  };
}
