import { defaultLabelChars, labelCharsMax } from "../../limits.ts";
import { newId } from "../../runtime/ids.ts";
import type { Random } from "../../runtime/random.ts";
import { requireCap, requireCreates, requirePlanFor } from "../account/entitlement.ts";
import type { Command, Effect } from "../command.ts";
import { ContentError, type ContentType, encodeContent, nameOfContent } from "../content/content.ts";
import type { CreateContentBody } from "../dashboard-requests.ts";
import type { CodeDoc, CodeType, MadeByApi, RenderMetadata } from "../documents.ts";
import { ApiError, invalidField } from "../errors.ts";
import { normaliseMetadata } from "../looks/render-metadata.ts";
import type { CreateCodeBody } from "../requests.ts";
import { activeCodes } from "./code-commands.ts";
import { type CodeFields, type FieldRules, fieldsOf, refuseUnscannable } from "./code-fields.ts";
import { firstRender } from "./render-state.ts";

export interface NewCode {
  /** Reserved for this code. */
  slug: string;
  random: Random;
}

/** What is known of a code before its account is asked. */
interface Wanted {
  type: CodeType;
  target: Target;
  fields: CodeFields;
  metadata: RenderMetadata;
  label: string;
  /** The default one when it is not named. */
  projectId: string | undefined;
}

/** Creates a code. The body is checked here and now; what depends on the account is checked in `apply`. */
export function createCode(body: CreateCodeBody, rules: FieldRules, fresh: NewCode): Command<CodeDoc> {
  const type = body.type ?? "url";
  const target = targetOf(type, body, rules);
  const fields = fieldsOf(body, rules);
  const metadata = normaliseMetadata("qr_render_metadata", body.qr_render_metadata ?? {}, null);
  refuseUnscannable(metadata, target.text ?? rules.linkTo(fresh.slug), target.text === null ? null : "text");
  const label = body.name ?? body.label ?? defaultLabel(target);
  return creating({ type, target, fields, metadata, label, projectId: body.project_id }, fresh);
}

/** Creates a code whose image says all: of the types that the dashboard makes. */
export function createContentCode(body: CreateContentBody, fresh: NewCode): Command<CodeDoc> {
  const { type, content } = body;
  const text = encoded(type, content);
  const metadata = normaliseMetadata("qr_render_metadata", body.qr_render_metadata ?? {}, null);
  refuseUnscannable(metadata, text, "content");
  const target = { url: "", text, unsafe: null };
  const label = body.name ?? [...nameOfContent(type, content)].slice(0, labelCharsMax).join("");
  return creating(
    { type, target, fields: { unsafe: null }, metadata, label, projectId: body.project_id },
    fresh,
  );
}

function encoded(type: ContentType, content: object): string {
  try {
    return encodeContent(type, content);
  } catch (cause) {
    if (cause instanceof ContentError) throw invalidField(`content.${cause.field}`, cause.problem);
    throw cause;
  }
}

function creating(wanted: Wanted, fresh: NewCode): Command<CodeDoc> {
  const { type, target, fields, metadata, label, projectId } = wanted;
  return {
    needs: (account) => [{ collection: "projects", id: projectId ?? account.default_project_id }],

    apply(view, now): Effect<CodeDoc> {
      requireCreates(view);
      requirePlanFor(fields, view);
      const project = view.project(projectId ?? view.account.default_project_id);
      if (project === null) throw new ApiError("project_not_found");
      if (project.is_archived) throw new ApiError("project_forbidden");
      requireCap(view);
      if (target.unsafe !== null) throw target.unsafe;
      if (fields.unsafe !== null) throw fields.unsafe;

      const code: CodeDoc = {
        id: newId("qr", now, fresh.random),
        account_id: view.account.id,
        project_id: project.id,
        slug: fresh.slug,
        label,
        type,
        status: "active",
        blocked: false,
        redirect_url: target.url,
        text: target.text,
        redirect_rules: fields.redirect_rules ?? [],
        expires_at: fields.expires_at ?? null,
        scan_limit: fields.scan_limit ?? null,
        analytics_enabled: true,
        metadata,
        render: firstRender(now),
        created_at: now,
        updated_at: now,
      };
      return {
        answer: code,
        writes: [{ collection: "codes", put: code, isNew: true }, activeCodes(view, 1)],
      };
    },
  };
}

interface Target extends Pick<CodeFields, "unsafe"> {
  url: string;
  text: string | null;
}

function targetOf(type: MadeByApi, body: CreateCodeBody, rules: FieldRules): Target {
  if (type === "text") {
    if (body.redirect_url) throw invalidField("redirect_url", 'must not be set when type is "text"');
    const text = body.text ?? body.qr_data?.text;
    if (text === undefined || text === "") throw invalidField("text", 'is required when type is "text"');
    return { url: "", text, unsafe: null };
  }
  if (!body.redirect_url) throw invalidField("redirect_url", `is required when type is "${type}"`);
  if (body.text) throw invalidField("text", `must not be set when type is "${type}"`);
  const { href, unsafe } = rules.checkUrl("redirect_url", body.redirect_url);
  return { url: href, text: null, unsafe };
}

function defaultLabel(target: Target): string {
  // What is refused as unsafe gets no code, and need not be a URL at all.
  if (target.unsafe !== null) return "";
  if (target.text === null) return new URL(target.url).hostname.slice(0, labelCharsMax);
  return [...target.text].slice(0, defaultLabelChars).join("");
}
