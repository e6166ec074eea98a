/**
 * What qrelay stores: the data model on one page.
 *
 * Documents are immutable values. A change is a new document that replaces the old one whole, so a write
 * can be repeated, coalesced with a later one, or dropped, without ever leaving a half-changed record.
 * Ids start with their creation time in a sortable alphabet: "newest first, ties by id" is the order of ids.
 */

import type { tags } from "typia";
import type { Millis } from "../runtime/clock.ts";
import { type ContentType, contentTypes } from "./content/content-types.ts";

/** A count of things: whole and not negative. */
export type Count = number & tags.Type<"int64"> & tags.Minimum<0>;

/** The types that the public API makes. */
export const madeByApi = ["url", "dynamic_url", "text"] as const;
export type MadeByApi = (typeof madeByApi)[number];

/** What is made of content alone has that in its image, as `text` has. */
export const codeTypes = [...madeByApi, ...contentTypes] as const;
export type CodeType = MadeByApi | ContentType;

export const codeStatuses = ["active", "archived", "blocked"] as const;
export type CodeStatus = (typeof codeStatuses)[number];

/** What the store knows of a render. That a worker holds it right now (`rendering`) is live knowledge only. */
export type StoredRenderStatus = "pending" | "staging" | "done" | "error" | "idle";
export type RenderStatus = StoredRenderStatus | "rendering";

export type Device = "ios" | "android" | "desktop";
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

export interface DeviceRule {
  condition: "device";
  value: Device;
  condition2?: "country";
  value2?: string;
  url: string;
}

export interface CountryRule {
  condition: "country";
  value: string;
  condition2?: "device";
  value2?: Device;
  url: string;
}

export interface ScheduleRule {
  condition: "schedule";
  schedule_days: Weekday[];
  schedule_start: string;
  schedule_end: string;
  url: string;
}

export type RedirectRule = DeviceRule | CountryRule | ScheduleRule;

/** How a code looks. Every key always has a value here; `render-metadata.ts` fills in the defaults. */
export interface RenderMetadata {
  format_ratio: "1:1" | "4:3" | "3:4" | "16:9" | "9:16";
  width: number;
  height: number;
  unit: "px" | "mm" | "cm" | "in";
  padding: number;
  quiet_zone: number;
  border_style: "none" | "solid" | "rounded" | "dashed";
  dot_style: "square" | "rounded" | "extra-rounded" | "dots" | "diamond" | "classy" | "classy-rounded";
  eye_style: "square" | "rounded" | "circle" | "leaf";
  foreground_color: string;
  background_color: string;
  bg_transparent: boolean;
  error_correction: "L" | "M" | "Q" | "H";
  dpi: number;
  export_png: boolean;
  output_alignment:
    | "center"
    | "top"
    | "bottom"
    | "left"
    | "right"
    | "top-left"
    | "top-right"
    | "bottom-left"
    | "bottom-right";
}

/** The limits a plan sets, and an account may override one by one. */
export interface PlanLimits {
  qr_cap: Count;
  per_minute: Count;
  per_day: Count;
  burst: Count;
  keys: Count;
  projects: Count;
  /** How far back analytics may be read. */
  analytics_days: Count;
}

export interface AccountDoc {
  id: string;
  name: string;
  plan: string;
  /** IANA time zone in which schedule rules are read. */
  timezone: string;
  api_access: boolean;
  limits: Partial<PlanLimits>;
  default_project_id: string;
  /** How many codes are `active`: what the plan's cap counts. */
  active_codes: Count;
  /** How many projects there are, archived ones included. Null in documents from before: the directory counts then. */
  project_count: Count | null;
  created_at: Millis;
  updated_at: Millis;
}

/** Requests let through in the window that begins at `start`; see `rate-window.ts` for why `used` runs ahead. */
export interface StoredWindow {
  start: Millis;
  used: Count;
}

export interface StoredWindows {
  minute: StoredWindow;
  day: StoredWindow;
}

export interface KeyDoc extends StoredWindows {
  id: string;
  account_id: string;
  /** SHA-256 of the key, hex. The key itself is never stored. */
  hash: string;
  last4: string;
  name: string;
  created_at: Millis;
  last_used_at: Millis | null;
  revoked_at: Millis | null;
}

export interface ProjectDoc {
  id: string;
  account_id: string;
  name: string;
  description: string;
  is_archived: boolean;
  created_via: "api" | "dashboard" | null;
  created_at: Millis;
  updated_at: Millis;
}

export interface RenderState {
  status: StoredRenderStatus;
  /** Rises with every request for an image; an image of an older version is not wanted any more. */
  version: Count;
  requested_at: Millis | null;
  attempt: Count;
  error: string | null;
  rendered_at: Millis | null;
  rendered_version: Count;
  /** Content hashes of the files being served. */
  svg: string | null;
  png: string | null;
}

export interface CodeDoc {
  id: string;
  account_id: string;
  project_id: string;
  /** Reserved at creation; shown to clients once the first render is done. */
  slug: string;
  label: string;
  type: CodeType;
  /** What clients see and lists go by. A blocked code is `blocked`, or `archived` when its owner put it away. */
  status: CodeStatus;
  /** The safety check's word. It outlives whatever the owner does to the code: see `codes.ts` for what lifts it. */
  blocked: boolean;
  /** Empty for types whose image says all. */
  redirect_url: string;
  /** What the image of such a type says, otherwise null. */
  text: string | null;
  redirect_rules: RedirectRule[];
  expires_at: Millis | null;
  scan_limit: Count | null;
  analytics_enabled: boolean;
  metadata: RenderMetadata;
  render: RenderState;
  created_at: Millis;
  updated_at: Millis;
}

export const userRoles = ["owner", "member"] as const;
export type UserRole = (typeof userRoles)[number];

/** A person who may sign in to the dashboard of an account. */
export interface UserDoc {
  id: string;
  account_id: string;
  /** In lower case; nobody else in the whole store has it. */
  email: string;
  role: UserRole;
  /** As `people/passwords.ts` writes it; null until the first one is set. */
  password: string | null;
  /** Another one with every password: sessions that were opened with an older one are over. */
  credential: string;
  /** The one link with which a password can be set, of which the hash alone is known; null when there is none. */
  one_time_link: { hash: string; expires_at: Millis } | null;
  signed_in_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** Somebody who has signed in. The id is the SHA-256 of what the browser holds, hex. */
export interface SessionDoc extends StoredWindows {
  id: string;
  /** Both are null for the operator. */
  account_id: string | null;
  user_id: string | null;
  /** What it was opened with: it lasts as long as that is the user's, or the operator's. */
  credential: string;
  created_at: Millis;
  expires_at: Millis;
}

/** The answer to a create that carried an `Idempotency-Key`. */
export interface AnswerDoc {
  id: string;
  account_id: string;
  /** SHA-256 of the request body: the same key with another body is a mistake of the client's. */
  request_hash: string;
  request_id: string;
  status: Count;
  body: string;
  expires_at: Millis;
}

/** A rendered image. The id is `{qr_id}/{content hash}.{svg|png}`, the path under `/files/`. */
export interface FileDoc {
  id: string;
  account_id: string;
  bytes: Uint8Array;
}

/** How often a link was answered with its destination. Only ever rises. */
export interface ScanCount {
  slug: string;
  count: Count;
}

/** Scans of some stretch of time, and where they came from. Each of the three maps adds up to the total. */
export interface Tally {
  total: Count;
  /** By ISO 3166-1 alpha-2 code, or `unknown`. */
  countries: Record<string, Count>;
  devices: Record<string, Count>;
  /** By the host that referred, `direct` for none; `other` are those that there was no room for. */
  referrers: Record<string, Count>;
}

/** Scans in one hour, UTC, of a link, a project or an account. The id is `{slug or id}/{hour start in ms}`. */
export interface ScanHourDoc {
  id: string;
  people: Tally | null;
  /** Known robots: crawlers and makers of link previews. */
  robots: Tally | null;
}

export interface DayTally extends Tally {
  /** The total of each of the 24 hours. */
  hours: Count[];
}

/** The hours of one day, UTC, once they are too old to be kept one by one. The id is `{slug or id}/{day start in ms}`. */
export interface ScanDayDoc {
  id: string;
  people: DayTally | null;
  robots: DayTally | null;
}

export interface Collections {
  accounts: AccountDoc;
  keys: KeyDoc;
  projects: ProjectDoc;
  codes: CodeDoc;
  answers: AnswerDoc;
  files: FileDoc;
  users: UserDoc;
  sessions: SessionDoc;
}

export type Collection = keyof Collections;
export type Document = Collections[Collection];

/** What is good until a moment and cleared away some time after it. */
export type Expiring = "answers" | "sessions";

/**
 * Replaces a document whole, or removes it. `isNew`: its id was never stored, and a store may refuse it where that is not
 * so.
 */
export type Write = {
  [C in Collection]: { collection: C; put: Collections[C]; isNew?: true } | { collection: C; remove: string };
}[Collection];
