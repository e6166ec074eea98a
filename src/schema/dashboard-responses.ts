/** The bodies of answers that pages get beside those of the public API; see `responses.ts`. */
import type { CodeStatus, UserRole } from "../domain/documents.ts";
import type {
  Account,
  AnalyticsEnvelope,
  CodeListItem,
  Envelope,
  Key,
  Link,
  Page,
  Timestamp,
  Whole,
} from "./responses.ts";

export interface User {
  user_id: string;
  email: string;
  /** Members cannot touch keys, users and the account. */
  role: UserRole;
  /** False until the first one-time link was used. */
  has_password: boolean;
  /** Until when the one-time link is good that was made last; null when there is none. */
  invited_until: Timestamp | null;
  signed_in_at: Timestamp | null;
  created_at: Timestamp;
}

export interface UserAnswer extends Envelope, User {}

export interface UserListAnswer extends Envelope {
  items: User[];
}

export interface InvitedUserAnswer extends Envelope, User {
  /** With which the user sets a password. It is shown this once and cannot be recovered. */
  one_time_link: Link;
  /** Until when the link is good. */
  expires_at: Timestamp;
}

/** The user who is signed in. */
export interface SignedInUser {
  user_id: string;
  email: string;
  role: UserRole;
}

/** What the plan lets the account do beside its limits. */
export interface Features {
  /** May create codes at all. */
  creates: boolean;
  /** May use redirect rules, expiry and scan limits. */
  advanced: boolean;
}

export interface SessionAnswer extends Envelope {
  kind: "user" | "operator";
  /** Null for the operator, as are the account and its features. */
  user: SignedInUser | null;
  account: Account | null;
  features: Features | null;
  /** All that are configured, for the operator; otherwise empty. */
  plans: string[];
  expires_at: Timestamp;
  /** Origin of links and file URLs. */
  public_url: Link;
}

export interface SignedOutAnswer extends Envelope {}

export interface OneTimeLinkAnswer extends Envelope {
  email: string;
  account_name: string;
  expires_at: Timestamp;
}

export interface OwnKey extends Key {
  /** Since the start of the minute, UTC. */
  requests_this_minute: Whole;
  /** Since the start of the day, UTC. */
  requests_this_day: Whole;
}

export interface OwnKeyAnswer extends Envelope, OwnKey {}

export interface OwnKeyListAnswer extends Envelope {
  items: OwnKey[];
}

export interface OwnKeyCreatedAnswer extends Envelope, OwnKey {
  /** The key itself. It is shown this once and cannot be recovered. */
  key: string;
}

export interface OwnCodeListItem extends CodeListItem {
  updated_at: Timestamp;
  expires_at: Timestamp | null;
  scan_limit: Whole | null;
  scan_count: Whole;
  /** Null until rendered. */
  file_url_svg: Link | null;
}

export interface OwnCodeListAnswer extends Page<OwnCodeListItem>, Envelope {}

export interface RankedCode {
  qr_id: string;
  label: string;
  status: CodeStatus;
  scans: Whole;
}

export interface TopCodesAnswer extends AnalyticsEnvelope {
  items: RankedCode[];
  /** Scans of all other codes. */
  other: Whole;
}

export interface VisitAnswer extends Envelope {
  /** In the order in which they are looked at, with the destination last. */
  outcome: "blocked" | "archived" | "project_archived" | "expired" | "limit_reached" | "text" | "redirect";
  /** Of the answer that the visitor would get. */
  status: Whole;
  /** Where the visitor would be led. */
  url: string | null;
  /** Place of the rule that matches, from 0; null when none does. */
  rule: Whole | null;
  /** What the visitor would read. */
  text: string | null;
  at: Timestamp;
  /** Of the account: schedule rules are read by its clock. */
  timezone: string;
}
