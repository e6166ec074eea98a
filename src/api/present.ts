/** Stored documents as clients see them. */

import type { Usage } from "../account/account-actor.ts";
import { fileId } from "../domain/code/code-commands.ts";
import { wantsImage } from "../domain/code/render-state.ts";
import type {
  AccountDoc,
  CodeDoc,
  KeyDoc,
  PlanLimits,
  ProjectDoc,
  RenderStatus,
  UserDoc,
} from "../domain/documents.ts";
import { iso } from "../domain/timestamps.ts";
import type { Invited } from "../people/users.ts";
import type { Millis } from "../runtime/clock.ts";
import type { User } from "../schema/dashboard-responses.ts";
import type {
  Account,
  AdminProject,
  Code,
  CodeListItem,
  Key,
  NewCode,
  Project,
} from "../schema/responses.ts";

/** All but the count of its scans. */
export function presentCodeUncounted(
  code: CodeDoc,
  isRendering: boolean,
  publicUrl: string,
): Omit<Code, "scan_count"> {
  return { ...codeFields(code, isRendering, publicUrl), scan_limit: code.scan_limit };
}

/** A code as its create answers it: nothing has happened to it yet. */
export function presentNewCode(code: CodeDoc, publicUrl: string): NewCode {
  return codeFields(code, false, publicUrl);
}

function codeFields(code: CodeDoc, isRendering: boolean, publicUrl: string): NewCode {
  const { render } = code;
  const shown = render.rendered_at !== null;
  const fileUrl = (hash: string | null, kind: "svg" | "png") =>
    hash === null ? null : `${publicUrl}/files/${fileId(code.id, hash, kind)}`;
  return {
    qr_id: code.id,
    label: code.label,
    slug: shown ? code.slug : null,
    status: code.status,
    type: code.type,
    project_id: code.project_id,
    redirect_url: code.redirect_url,
    redirect_rules: code.redirect_rules,
    expires_at: isoOrNull(code.expires_at),
    destination_url: shown && code.text === null ? code.redirect_url : null,
    qr_data: code.text === null ? { url: code.redirect_url } : { text: code.text },
    qr_render_metadata: code.metadata,
    analytics_enabled: code.analytics_enabled,
    render_status: renderStatus(code, isRendering),
    render_requested_at: isoOrNull(render.requested_at),
    render_attempt: render.attempt,
    render_error: render.error,
    file_url_svg: fileUrl(render.svg, "svg"),
    file_url_png: fileUrl(render.png, "png"),
    created_at: iso(code.created_at),
    updated_at: iso(code.updated_at),
    last_rendered_at: isoOrNull(render.rendered_at),
  };
}

export function presentListItem(code: CodeDoc, isRendering: boolean): CodeListItem {
  return {
    qr_id: code.id,
    project_id: code.project_id,
    slug: code.render.rendered_at === null ? null : code.slug,
    label: code.label,
    status: code.status,
    type: code.type,
    redirect_url: code.redirect_url,
    created_at: iso(code.created_at),
    render_status: renderStatus(code, isRendering),
  };
}

export function presentProject(project: ProjectDoc, isDefault: boolean): Project {
  return {
    project_id: project.id,
    name: project.name,
    description: project.description,
    is_default: isDefault,
    has_custom_domain: false,
    created_via: project.created_via,
    created_at: iso(project.created_at),
    updated_at: iso(project.updated_at),
  };
}

export function presentAdminProject(project: ProjectDoc, isDefault: boolean): AdminProject {
  return { ...presentProject(project, isDefault), is_archived: project.is_archived };
}

export function presentAccount(
  account: AccountDoc,
  limits: PlanLimits,
  isPlanConfigured: boolean,
  usage: Usage,
): Account {
  return {
    account_id: account.id,
    name: account.name,
    plan: account.plan,
    plan_configured: isPlanConfigured,
    timezone: account.timezone,
    api_access: account.api_access,
    limits,
    limit_overrides: account.limits,
    default_project_id: account.default_project_id,
    usage: {
      active_codes: account.active_codes,
      qr_cap: limits.qr_cap,
      projects: usage.projects,
      requests_this_minute: usage.minute,
      requests_this_day: usage.day,
    },
    created_at: iso(account.created_at),
    updated_at: iso(account.updated_at),
  };
}

export function presentKey(key: KeyDoc): Key {
  return {
    key_id: key.id,
    name: key.name,
    last4: key.last4,
    created_at: iso(key.created_at),
    last_used_at: isoOrNull(key.last_used_at),
    revoked_at: isoOrNull(key.revoked_at),
  };
}

export function presentUser(user: UserDoc, now: Millis): User {
  const { one_time_link: link } = user;
  return {
    user_id: user.id,
    email: user.email,
    role: user.role,
    has_password: user.password !== null,
    invited_until: link === null || now >= link.expires_at ? null : iso(link.expires_at),
    signed_in_at: isoOrNull(user.signed_in_at),
    created_at: iso(user.created_at),
  };
}

/** The link is for this one answer: nobody can make it again. */
export function presentInvited({ user, token }: Invited, publicUrl: string, now: Millis) {
  return {
    ...presentUser(user, now),
    one_time_link: oneTimeLinkTo(publicUrl, token),
    expires_at: iso(user.one_time_link!.expires_at),
  };
}

/** Behind the `#`, which browsers keep to themselves: the token gets into no log. */
export function oneTimeLinkTo(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/set-password#${token}`;
}

function renderStatus(code: CodeDoc, isRendering: boolean): RenderStatus {
  return isRendering && wantsImage(code.render) ? "rendering" : code.render.status;
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
