/**
 * The bodies of answers. All are flat: the envelope and the fields beside each other. The OpenAPI document is
 * made from these types, and every answer that a test receives is held against it.
 *
 * The comments of properties are the descriptions in the OpenAPI document.
 */
import type { tags } from "typia";
import type { Interval } from "../domain/analytics/range.ts";
import type { CodeStatus, CodeType, RedirectRule, RenderStatus, Weekday } from "../domain/documents.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { RenderMetadataInput } from "../domain/requests.ts";
import type { EngineName } from "../engine/engine.ts";

export type Timestamp = string &
  tags.Pattern<"^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"> &
  tags.JsonSchemaPlugin<{ format: "date-time" }>;
export type Whole = number & tags.Type<"int64"> & tags.Minimum<0>;
type Uuid = string & tags.Format<"uuid">;
export type Link = string & tags.Format<"uri">;

/** What every answer carries. */
export interface Envelope {
  ok: true;
  /** Version of the API. */
  version: string;
  /** Also the header `x-request-id`; name it when you report a problem. */
  request_id: Uuid;
}

/** A part of a list. */
export interface Page<T> {
  items: T[];
  /** Pass it as `page_token` for the next page. Null: this was the last one. */
  next_page_token: string | null;
}

/** Every answer that is not a success. */
export interface ErrorAnswer {
  ok: false;
  /** Version of the API. */
  version: string;
  /** Also the header `x-request-id`; name it when you report a problem. */
  request_id: Uuid;
  /** What went wrong, for programs. */
  code: ErrorCode;
  /** What went wrong, for people. Names the field when one is at fault. */
  message: string;
}

export interface HealthAnswer extends Envelope {
  status: "alive";
}

export interface ReadinessAnswer extends Envelope {
  status: "ready";
  /** What speaks HTTP here: uWebSockets.js or `node:http`. */
  engine: EngineName;
}

export interface Project {
  project_id: string;
  name: string;
  description: string;
  /** True for the project that new codes belong to when they name none. */
  is_default: boolean;
  has_custom_domain: boolean;
  /** Null for the first project of an account. */
  created_via: "api" | "dashboard" | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface ProjectAnswer extends Envelope, Project {}

export interface ProjectListAnswer extends Page<Project>, Envelope {}

/** How the code looks, every key with its value. */
export interface RenderMetadata extends Required<RenderMetadataInput> {}

/** Raw data of the types `url` and `dynamic_url`. */
export interface UrlData {
  url: string;
}

/** Raw data of the type `text`, and of the types that only the dashboard makes: what the image says. */
export interface TextData {
  text: string;
}

/** What a create answers: all but the limit and the count of scans, which a read has. */
export interface NewCode {
  qr_id: string;
  label: string;
  /** The public link is this path. Null until the first render is done. */
  slug: string | null;
  /** `blocked` is set by the safety re-scan; its owner can archive such a code, not bring it back. */
  status: CodeStatus;
  /** Those after `text` are made in the dashboard; here they are read, listed and archived. */
  type: CodeType;
  project_id: string;
  /** Where a scan goes that matches no rule. Empty for types whose image says all, as that of `text` does. */
  redirect_url: string;
  /** Evaluated in order; the first match wins. */
  redirect_rules: RedirectRule[];
  /** Scans after it get 410. */
  expires_at: Timestamp | null;
  /** What a scan that matches no rule gets. Null until the first render is done, and where `redirect_url` is empty. */
  destination_url: string | null;
  qr_data: UrlData | TextData;
  qr_render_metadata: RenderMetadata;
  analytics_enabled: boolean;
  /** `pending` waits for its first image, `staging` is being drawn anew while the last image is served. */
  render_status: RenderStatus;
  render_requested_at: Timestamp | null;
  render_attempt: Whole;
  /** Why the last render failed. */
  render_error: string | null;
  /** Null until rendered. */
  file_url_svg: Link | null;
  /** Null until rendered, and when `export_png` is false. */
  file_url_png: Link | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  last_rendered_at: Timestamp | null;
}

export interface Code extends NewCode {
  /** Null means unlimited. */
  scan_limit: (number & tags.Type<"int32"> & tags.Minimum<1>) | null;
  /** Successful scans so far. */
  scan_count: Whole;
}

export interface NewCodeAnswer extends Envelope, NewCode {}

export interface CodeAnswer extends Envelope, Code {}

export interface CodeListItem {
  qr_id: string;
  project_id: string;
  /** Null until the first render is done. */
  slug: string | null;
  label: string;
  status: CodeStatus;
  type: CodeType;
  redirect_url: string;
  created_at: Timestamp;
  render_status: RenderStatus;
}

export interface CodeListAnswer extends Page<CodeListItem>, Envelope {}

/** What every view of analytics says of itself. */
export interface AnalyticsEnvelope extends Envelope {
  /** The range that was counted: whole hours, UTC; whole days where it is more than 90 days back. */
  from: Timestamp;
  /** Exclusive. */
  to: Timestamp;
  /** IANA time zone of days and hours. */
  timezone: string;
  /** True: the range is not the one that was asked for, because part of it is kept by the day or not any more. */
  cut: boolean;
  /** Every scan before this moment is counted; later ones may be. */
  complete_until: Timestamp;
  /** Scans in the range. */
  total: Whole;
}

export interface TrendPoint {
  /** Until the next one begins, the last until `to`. */
  start: Timestamp;
  scans: Whole;
}

export interface AnalyticsTrendAnswer extends AnalyticsEnvelope {
  interval: Interval;
  items: TrendPoint[];
}

export interface RankedName {
  /** `other` for all that are beyond the limit, `unknown` for what is not known. */
  key: string;
  scans: Whole;
}

export interface AnalyticsRankingAnswer extends AnalyticsEnvelope {
  items: RankedName[];
}

export interface HourOfWeek {
  weekday: Weekday;
  hour: Whole & tags.Maximum<23>;
  scans: Whole;
}

export interface AnalyticsHoursAnswer extends AnalyticsEnvelope {
  items: HourOfWeek[] & tags.MinItems<168> & tags.MaxItems<168>;
}

/** Limits in force: the plan's, with the account's own in their place. */
export interface Limits {
  /** Active QR codes. */
  qr_cap: Whole;
  /** Requests a minute and key. */
  per_minute: Whole;
  /** Requests a day and key. */
  per_day: Whole;
  /** Requests a second and key. */
  burst: Whole;
  /** Keys that are not revoked. */
  keys: Whole;
  /** Projects, archived ones included. */
  projects: Whole;
  /** How many days back analytics may be read. */
  analytics_days: Whole;
}

/** The account's own limits. */
export interface LimitOverrides extends Partial<Limits> {}

export interface Usage {
  /** Codes with status `active`. */
  active_codes: Whole;
  qr_cap: Whole;
  /** Projects, archived ones included. */
  projects: Whole;
  /** Over all keys, since the start of the minute, UTC. */
  requests_this_minute: Whole;
  /** Over all keys, since the start of the day, UTC. */
  requests_this_day: Whole;
}

export interface Account {
  account_id: string;
  name: string;
  plan: string;
  /** False: the plan is not configured (any more). Requests with the account's keys get 403; its links go on. */
  plan_configured: boolean;
  /** IANA time zone in which schedule rules are read. */
  timezone: string;
  api_access: boolean;
  limits: Limits;
  limit_overrides: LimitOverrides;
  default_project_id: string;
  usage: Usage;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface AccountAnswer extends Envelope, Account {}

export interface AccountListAnswer extends Page<Account>, Envelope {}

export interface Key {
  key_id: string;
  name: string;
  /** The last four characters of the key. */
  last4: string & tags.MinLength<4> & tags.MaxLength<4>;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

export interface KeyAnswer extends Envelope, Key {}

export interface KeyCreatedAnswer extends Envelope, Key {
  /** The key itself. It is shown this once and cannot be recovered. */
  key: string & tags.Pattern<"^api_live_[0-9A-Za-z]{32}$">;
}

export interface KeyListAnswer extends Envelope {
  items: Key[];
}

export interface AdminProject extends Project {
  /** No new codes, and the links of its codes do not resolve. */
  is_archived: boolean;
}

export interface AdminProjectAnswer extends Envelope, AdminProject {}

export interface AdminProjectListAnswer extends Page<AdminProject>, Envelope {}

export interface RescanAnswer extends Envelope {
  /** Codes whose targets were looked at: active and blocked ones. */
  checked: Whole;
  /** Codes that are `blocked` because of it. */
  blocked: Whole;
  /** Codes that are not blocked any more because of it. */
  unblocked: Whole;
}

/** One life of a process on the database. */
export interface ClusterMember {
  /** Its number; null on the embedded store, which no other process can use, and while it has none yet. */
  member: Whole | null;
  /**
   * The owner decides on accounts. A follower serves links, and hands everything else on. One that joins does neither yet.
   * One that is silent did not answer the owner's question.
   */
  state: "owner" | "follower" | "joining" | "silent";
  /** Where other members reach it; null when it does not speak with any, or is silent. */
  address: string | null;
  /** Whether it may answer from memory. */
  may_serve: boolean;
  /** How long ago that was last confirmed: to the owner by MongoDB, to a follower by the owner. Null: never. */
  confirmed_ms_ago: Whole | null;
  /** Of 256 partitions of accounts, those that it decides for. */
  partitions: Whole;
  /** Of the process, as it is in the logs; null when it does not speak with others. */
  name: string | null;
}

export interface ClusterFields {
  /** Whether members speak with each other: `CLUSTER=on`. */
  enabled: boolean;
  /** The owner first. */
  members: ClusterMember[];
  /** Former members whose counts are all stored, and not yet folded into one sum. */
  to_fold: Whole;
  /** Former members whose journals may still have scans: these come back with their `DATA_DIR`. */
  awaited: Whole;
}

export interface ClusterAnswer extends Envelope, ClusterFields {}
