/** Valid documents of every collection; a test changes what it is about. */

import type { LinkScans } from "../../src/domain/analytics/link-scans.ts";
import {
  type AccountDoc,
  type AnswerDoc,
  type CodeDoc,
  codeStatuses,
  type FileDoc,
  type KeyDoc,
  type PlanLimits,
  type ProjectDoc,
  type ScheduleRule,
  type SessionDoc,
  type UserDoc,
  type Weekday,
} from "../../src/domain/documents.ts";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import type { CodeQuery, Collections, Write } from "../../src/store/store.ts";

const now = 1_760_000_000_000;

/** Ids in the order of their numbers. */
export function numbered(kind: string, n: number): string {
  return `${kind}_${String(n).padStart(10, "0")}`;
}

export function sampleAccount(changes: Partial<AccountDoc> = {}): AccountDoc {
  return {
    id: "acc_1",
    name: "Bakery",
    plan: "agency",
    timezone: "Europe/Berlin",
    api_access: true,
    limits: {},
    default_project_id: "prj_1",
    active_codes: 0,
    project_count: 1,
    created_at: now,
    updated_at: now,
    ...changes,
  };
}

export function sampleLimits(rates: Pick<PlanLimits, "burst" | "per_minute" | "per_day">): PlanLimits {
  return { ...rates, qr_cap: 0, keys: 1, projects: 1, analytics_days: 1 };
}

export function sampleKey(changes: Partial<KeyDoc> = {}): KeyDoc {
  const id = changes.id ?? "key_1";
  return {
    id,
    account_id: "acc_1",
    hash: `hash-of-${id}`,
    last4: "wxyz",
    name: "till",
    created_at: now,
    last_used_at: null,
    revoked_at: null,
    minute: { start: now, used: 0 },
    day: { start: now, used: 0 },
    ...changes,
  };
}

export function sampleProject(changes: Partial<ProjectDoc> = {}): ProjectDoc {
  return {
    id: "prj_1",
    account_id: "acc_1",
    name: "Menus",
    description: "",
    is_archived: false,
    created_via: "api",
    created_at: now,
    updated_at: now,
    ...changes,
  };
}

/** A list of all codes of the account that samples are of. */
export const everything: CodeQuery = {
  account_id: "acc_1",
  project_id: null,
  statuses: codeStatuses,
  type: null,
  label_contains: null,
  before: null,
  limit: 100,
};

export function sampleCode(changes: Partial<CodeDoc> = {}): CodeDoc {
  const id = changes.id ?? "qr_1";
  return {
    id,
    account_id: "acc_1",
    project_id: "prj_1",
    slug: `slug-of-${id}`,
    label: "Table 7",
    type: "url",
    status: "active",
    blocked: changes.status === "blocked",
    redirect_url: "https://example.com/menu",
    text: null,
    redirect_rules: [{ condition: "device", value: "ios", url: "https://example.com/ios" }],
    expires_at: null,
    scan_limit: null,
    analytics_enabled: true,
    metadata: { ...defaultMetadata, width: 1024, height: 1024 },
    render: sampleRender("done"),
    created_at: now,
    updated_at: now,
    ...changes,
  };
}

export function scheduleRule(
  schedule_days: Weekday[],
  schedule_start: string,
  schedule_end: string,
  url: string,
): ScheduleRule {
  return { condition: "schedule", schedule_days, schedule_start, schedule_end, url };
}

export function sampleRender(status: CodeDoc["render"]["status"]): CodeDoc["render"] {
  const rendered = status === "done";
  return {
    status,
    version: 1,
    requested_at: now,
    attempt: 0,
    error: null,
    rendered_at: rendered ? now : null,
    rendered_version: rendered ? 1 : 0,
    svg: rendered ? "00112233445566778899aabbccddeeff" : null,
    png: rendered ? "ffeeddccbbaa99887766554433221100" : null,
  };
}

export function sampleAnswer(changes: Partial<AnswerDoc> = {}): AnswerDoc {
  return {
    id: "acc_1/answer",
    account_id: "acc_1",
    request_hash: "0".repeat(64),
    request_id: "req_1",
    status: 201,
    body: '{"ok":true}',
    expires_at: now,
    ...changes,
  };
}

export function sampleFile(changes: Partial<FileDoc> = {}): FileDoc {
  return {
    id: "qr_1/00112233445566778899aabbccddeeff.svg",
    account_id: "acc_1",
    bytes: new Uint8Array([0, 255, 60, 115, 118, 103, 62, 0]),
    ...changes,
  };
}

export function sampleUser(changes: Partial<UserDoc> = {}): UserDoc {
  const id = changes.id ?? "usr_1";
  return {
    id,
    account_id: "acc_1",
    email: `${id}@example.com`,
    role: "owner",
    password: "scrypt$15$8$3$c2FsdA$aGFzaA",
    credential: "first",
    one_time_link: { hash: "00".repeat(32), expires_at: now },
    signed_in_at: null,
    created_at: now,
    updated_at: now,
    ...changes,
  };
}

export function sampleSession(changes: Partial<SessionDoc> = {}): SessionDoc {
  return {
    id: "ab".repeat(32),
    account_id: "acc_1",
    user_id: "usr_1",
    credential: "first",
    created_at: now,
    expires_at: now,
    minute: { start: 0, used: 0 },
    day: { start: 0, used: 0 },
    ...changes,
  };
}

export const putAccount = (put: AccountDoc): Write => ({ collection: "accounts", put });
export const putKey = (put: KeyDoc): Write => ({ collection: "keys", put });
/** A count as a checkpoint saves it, of scans that nothing is known of. */
export function savedCount(slug: string, count: number, changes: Partial<LinkScans> = {}): LinkScans {
  return { slug, count, owner: null, seen: [], off: 0, otherwise: null, ...changes };
}

export const putProject = (put: ProjectDoc): Write => ({ collection: "projects", put });
export const putCode = (put: CodeDoc): Write => ({ collection: "codes", put });
export const putAnswer = (put: AnswerDoc): Write => ({ collection: "answers", put });
export const putFile = (put: FileDoc): Write => ({ collection: "files", put });
export const putUser = (put: UserDoc): Write => ({ collection: "users", put });
export const putSession = (put: SessionDoc): Write => ({ collection: "sessions", put });

/** A document of every collection. */
export function samples(): Collections {
  return {
    accounts: sampleAccount(),
    keys: sampleKey(),
    projects: sampleProject(),
    codes: sampleCode(),
    answers: sampleAnswer(),
    files: sampleFile(),
    users: sampleUser(),
    sessions: sampleSession(),
  };
}

/** Puts each of these into its collection. */
export function putEach(documents: Partial<Collections>): Write[] {
  return Object.entries(documents).map(([collection, put]) => ({ collection, put }) as Write);
}
