/** The fields of a code that create and update share, checked and normalised in one place. */

import type { CodeDoc, RenderMetadata } from "../documents.ts";
import { ApiError, invalidField } from "../errors.ts";
import { assertScannable } from "../looks/render-metadata.ts";
import { symbolModules } from "../looks/sizes.ts";
import type { CreateCodeBody, UpdateCodeBody } from "../requests.ts";
import { parseTimestamp } from "../timestamps.ts";
import { normaliseRules } from "./redirect-rules.ts";

/** What checking a field needs to know of the service. */
export interface FieldRules {
  /** The normalised URL, with the refusal if it is unsafe. Throws when it is no URL at all. */
  checkUrl(path: string, value: string): CheckedUrl;
  /** The public link of a slug: what the symbol encodes. */
  linkTo(slug: string): string;
}

export interface CheckedUrl {
  href: string;
  /** Thrown only after plan, project and quota were checked: those refusals come first. */
  unsafe: ApiError | null;
}

/** The given fields, normalised; a field that was not given is absent. Null and `[]` clear. */
export interface CodeFields extends Partial<Pick<CodeDoc, "redirect_rules" | "expires_at" | "scan_limit">> {
  unsafe: ApiError | null;
}

type Given = Pick<CreateCodeBody & UpdateCodeBody, "redirect_rules" | "expires_at" | "scan_limit">;

export function fieldsOf(given: Given, rules: FieldRules): CodeFields {
  const fields: CodeFields = { unsafe: null };
  if (given.redirect_rules !== undefined) {
    fields.redirect_rules = normaliseRules("redirect_rules", given.redirect_rules ?? [], (path, value) => {
      const { href, unsafe } = rules.checkUrl(path, value);
      fields.unsafe ??= unsafe;
      return href;
    });
  }
  if (given.expires_at !== undefined) {
    fields.expires_at = given.expires_at === null ? null : parseTimestamp("expires_at", given.expires_at);
  }
  if (given.scan_limit !== undefined) fields.scan_limit = given.scan_limit;
  return fields;
}

/**
 * Refuses content that no symbol holds, and a canvas on which the symbol could not be scanned. `field` is where the
 * content came from; null for a link, of which it is not the length that could be another.
 */
export function refuseUnscannable(metadata: RenderMetadata, content: string, field: string | null): void {
  const modules = symbolModules(content, metadata.error_correction);
  if (modules === null) {
    const named = field ?? "qr_render_metadata.error_correction";
    throw invalidField(named, `is too long for a QR code with error correction ${metadata.error_correction}`);
  }
  assertScannable(metadata, modules);
}

/** Turns a check that throws into one that hands the safety refusal back, to be thrown in its turn. */
export function deferUnsafe(check: (path: string, value: string) => string): FieldRules["checkUrl"] {
  return (path, value) => {
    try {
      return { href: check(path, value), unsafe: null };
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === "unsafe_url")
        return { href: value, unsafe: refusal };
      throw refusal;
    }
  };
}
