/**
 * What a scan needs to know of a code, worked out once when its link is loaded or changed. Working it out with the
 * scan would need the whole code in memory, and a scan to read it.
 */
import type { CodeDoc, CodeStatus } from "../domain/documents.ts";
import { flag, type LinkFields, statusActive, statusArchived, statusBlocked } from "./link-table.ts";
import { compileRules } from "./match-rules.ts";

const statusBits: Readonly<Record<CodeStatus, number>> = {
  active: statusActive,
  archived: statusArchived,
  blocked: statusBlocked,
};

export function hasSchedule(code: CodeDoc): boolean {
  return code.redirect_rules.some((rule) => rule.condition === "schedule");
}

/** Throws when a target could break out of the `Location` header. */
export function linkFields(code: CodeDoc): LinkFields {
  const { redirect_url: url, text, redirect_rules: rules } = code;
  requirePrintable(url);
  for (const rule of rules) requirePrintable(rule.url);
  let flags = code.blocked ? statusBlocked : statusBits[code.status];
  if (text !== null) flags |= flag.text;
  if (rules.length > 0) flags |= flag.rules;
  if (code.expires_at !== null) flags |= flag.expires;
  if (code.scan_limit !== null) flags |= flag.limited;
  if (code.analytics_enabled) flags |= flag.analytics;
  return {
    flags,
    expiresAt: code.expires_at ?? 0,
    limit: code.scan_limit ?? 0,
    url,
    text,
    rules: rules.length === 0 ? null : compileRules(rules),
  };
}

function requirePrintable(url: string): void {
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code <= 0x20 || code > 0x7e) throw new Error(`a target has the character ${code} at ${at}`);
  }
}
