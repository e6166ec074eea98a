/**
 * The one project, code, account and key that all examples of the OpenAPI documents speak of, in the order of their
 * lives: what one operation answers is what the next one reads or changes.
 */
import { weekdays } from "../domain/documents.ts";
import { defaultMetadata } from "../domain/looks/render-metadata.ts";
import { daysKeptDays } from "../limits.ts";
import { apiVersion } from "../schema/api-version.ts";

const envelope = {
  ok: true,
  version: apiVersion,
  request_id: "0d9c3a52-6a0e-4a57-9d0b-3b6f8a1c2e47",
};

const project = {
  project_id: "prj_01kb0y3c8mh4t9wx2e7k6a",
  name: "Spring campaign",
  description: "Posters and flyers",
  is_default: false,
  has_custom_domain: false,
  created_via: "api",
  created_at: "2026-03-01T09:00:00.000Z",
  updated_at: "2026-03-01T09:00:00.000Z",
};

const defaultProject = {
  project_id: "prj_01kb0y3b2ag8c4ev1m5p9t",
  name: "Default project",
  description: "",
  is_default: true,
  has_custom_domain: false,
  created_via: null,
  created_at: "2026-02-01T08:00:00.000Z",
  updated_at: "2026-02-01T08:00:00.000Z",
};

const redirectRules = [
  { condition: "device", value: "ios", url: "https://apps.example.com/ios" },
  {
    condition: "country",
    value: "DE",
    condition2: "device",
    value2: "android",
    url: "https://example.com/de/app",
  },
  {
    condition: "schedule",
    schedule_days: ["sat", "sun"],
    schedule_start: "09:30",
    schedule_end: "18:00",
    url: "https://example.com/weekend",
  },
];

const newCode = {
  qr_id: "qr_01kb0y3d5pj7v1zq9s4n8r",
  label: "Poster",
  slug: null,
  status: "active",
  type: "url",
  project_id: project.project_id,
  redirect_url: "https://example.com/spring",
  redirect_rules: [],
  expires_at: null,
  destination_url: null,
  qr_data: { url: "https://example.com/spring" },
  qr_render_metadata: defaultMetadata,
  analytics_enabled: true,
  render_status: "pending",
  render_requested_at: "2026-03-01T09:05:00.000Z",
  render_attempt: 0,
  render_error: null,
  file_url_svg: null,
  file_url_png: null,
  created_at: "2026-03-01T09:05:00.000Z",
  updated_at: "2026-03-01T09:05:00.000Z",
  last_rendered_at: null,
};

const files = `https://qr.example.com/files/${newCode.qr_id}`;

const renderedCode = {
  ...newCode,
  slug: "qr-7k2m9x4t8w",
  scan_limit: null,
  scan_count: 1234,
  destination_url: newCode.redirect_url,
  render_status: "done",
  render_attempt: 1,
  file_url_svg: `${files}/4f9d1c7ab20e5836c1d7f0b9e8a2643d.svg`,
  file_url_png: `${files}/b81e0c35d9f74a62a3c6e5d0172f948b.png`,
  last_rendered_at: "2026-03-01T09:05:00.180Z",
};

const retarget = { redirect_url: "https://example.com/summer" };

const retargetedCode = {
  ...renderedCode,
  ...retarget,
  destination_url: retarget.redirect_url,
  qr_data: { url: retarget.redirect_url },
  render_status: "staging",
  render_requested_at: "2026-06-01T07:30:00.000Z",
  render_attempt: 0,
  updated_at: "2026-06-01T07:30:00.000Z",
};

const { qr_id, project_id, slug, label, status, type, redirect_url, created_at, render_status } =
  renderedCode;
const listItem = { qr_id, project_id, slug, label, status, type, redirect_url, created_at, render_status };

const planLimits = {
  qr_cap: 50_000,
  per_minute: 1_200,
  per_day: 1_000_000,
  burst: 200,
  keys: 10,
  projects: 1_000,
  analytics_days: daysKeptDays,
};

const newAccount = {
  account_id: "acc_01kb0y3b2ag5n8rs6d3j1f",
  name: "Example Ltd",
  plan: "agency",
  plan_configured: true,
  timezone: "Europe/Berlin",
  api_access: true,
  limits: planLimits,
  limit_overrides: {},
  default_project_id: defaultProject.project_id,
  usage: {
    active_codes: 0,
    qr_cap: planLimits.qr_cap,
    projects: 1,
    requests_this_minute: 0,
    requests_this_day: 0,
  },
  created_at: defaultProject.created_at,
  updated_at: defaultProject.created_at,
};

const ownLimits = { burst: 500 };

const account = {
  ...newAccount,
  limits: { ...planLimits, ...ownLimits },
  limit_overrides: ownLimits,
  usage: {
    ...newAccount.usage,
    ...{ active_codes: 42, projects: 2, requests_this_minute: 7, requests_this_day: 1_903 },
  },
  updated_at: "2026-02-15T10:00:00.000Z",
};

const key = {
  key_id: "key_01kb0y3bb0m2c7hv5x8t4q",
  name: "Web shop",
  last4: "9f2c",
  created_at: "2026-02-01T08:01:00.000Z",
  last_used_at: null,
  revoked_at: null,
};

/** The first three days of March, by the account's clock. */
const analytics = {
  ...envelope,
  from: "2026-02-28T23:00:00.000Z",
  to: "2026-03-03T23:00:00.000Z",
  timezone: newAccount.timezone,
  cut: false,
  complete_until: "2026-03-04T08:15:30.000Z",
  total: 42,
};

const ranking = (scans: Record<string, number>) => ({
  ...analytics,
  items: Object.entries(scans).map(([key, scans]) => ({ key, scans })),
});
/** Sunday at ten, and Monday at noon and one. */
const busyHours: Record<number, number> = { [6 * 24 + 10]: 9, 12: 20, 13: 13 };
const hoursOfWeek = Array.from({ length: 168 }, (_, index) => ({
  weekday: weekdays[Math.floor(index / 24)],
  hour: index % 24,
  scans: busyHours[index] ?? 0,
}));
const user = {
  user_id: "usr_01kb0y3c1t6w9k2p4m7q8r",
  email: "ada@example.com",
  role: "owner",
  has_password: false,
  invited_until: "2026-02-02T08:02:00.000Z",
  signed_in_at: null,
  created_at: "2026-02-01T08:02:00.000Z",
};
const signedUpUser = {
  ...user,
  has_password: true,
  invited_until: null,
  signed_in_at: "2026-02-01T09:30:00.000Z",
};

const ownKey = { ...key, requests_this_minute: 7, requests_this_day: 1_903 };

const archivedProject = { ...project, is_archived: true, updated_at: "2026-09-01T12:00:00.000Z" };
const page = <T>(...items: T[]) => ({ ...envelope, items, next_page_token: null });

const token = `${user.user_id}.9t3vJ0m5q8r2w6y1z4b7d0f3h5k8n1p4s7u0x2Z5a8c`;
const password = "correct horse battery";

const example = <T>(summary: string, value: T) => ({ summary, value });

export const requestExamples = {
  createUrl: example("A link", {
    name: newCode.label,
    redirect_url: newCode.redirect_url,
    project_id: project.project_id,
  }),
  createText: example("Plain text", { type: "text", name: "Wardrobe", text: "Locker 17, ask at the desk" }),
  createStyled: example("Rules, expiry, limit and looks", {
    label: "Window",
    redirect_url: "https://example.com/window",
    redirect_rules: redirectRules,
    expires_at: "2030-01-31T18:00:00+01:00",
    scan_limit: 5000,
    qr_render_metadata: { dot_style: "rounded", foreground_color: "#1a2b3c" },
  }),
  retarget: example("Another destination", retarget),
  archive: example("Archive", { status: "archived" }),
  clear: example("Clear rules, expiry and limit", {
    redirect_rules: null,
    expires_at: null,
    scan_limit: null,
  }),
  createProject: example("A project", {
    name: project.name,
    description: project.description,
    set_as_default: false,
  }),
  createAccount: example("An account", {
    name: account.name,
    plan: account.plan,
    timezone: account.timezone,
  }),
  updateAccount: example("A higher burst than the plan has", { limits: ownLimits }),
  createKey: example("A key", { name: key.name }),
  updateKey: example("Another name", { name: "The till by the door" }),
  updateProject: example("Archive", { archived: true }),
  createUser: example("An owner", { email: user.email, role: user.role }),
  updateUser: example("An owner", { role: user.role }),
  signIn: example("A user", { email: user.email, password }),
  signInOperator: example("The operator", { admin_token: "the token of the operator" }),
  oneTimeLink: example("A link", { token }),
  setPassword: example("A password", { token, password }),
  changePassword: example("Another", {
    current_password: password,
    password: "another horse, better battery",
  }),
  updateOwnAccount: example("Name and zone", { name: account.name, timezone: account.timezone }),
  updateOwnProject: example("Another name", { name: project.name, archived: false }),
  createWifi: example("Wi-Fi", {
    type: "wifi",
    name: "Guests",
    content: { ssid: "Bakery guests", security: "WPA", password: "flour and water" },
  }),
  visit: example("A phone in Germany", { country: "DE", device: "ios", at: "2026-03-02T09:00:00.000Z" }),
};

export const answerExamples = {
  alive: { ...envelope, status: "alive" },
  ready: { ...envelope, status: "ready", engine: "uws" },
  project: { ...envelope, ...project },
  projects: page<object>(project, defaultProject),
  newCode: { ...envelope, ...newCode },
  code: { ...envelope, ...renderedCode },
  retargetedCode: { ...envelope, ...retargetedCode },
  codes: page(listItem),
  trend: {
    ...analytics,
    interval: "day",
    items: [
      { start: "2026-02-28T23:00:00.000Z", scans: 9 },
      { start: "2026-03-01T23:00:00.000Z", scans: 33 },
      { start: "2026-03-02T23:00:00.000Z", scans: 0 },
    ],
  },
  countries: ranking({ DE: 30, AT: 7, unknown: 3, other: 2 }),
  devices: ranking({ ios: 22, android: 18, desktop: 2 }),
  referrers: ranking({ direct: 38, "news.example.com": 3, unknown: 1 }),
  hours: { ...analytics, items: hoursOfWeek },
  newAccount: { ...envelope, ...newAccount },
  account: { ...envelope, ...account },
  accounts: page(account),
  keyCreated: { ...envelope, ...key, key: "api_live_7h3k9m2p5r8t1w4x6z0b3d5f7g9j9f2c" },
  key: { ...envelope, ...key, revoked_at: "2026-04-01T12:00:00.000Z" },
  keys: { ...envelope, items: [key] },
  adminProject: { ...envelope, ...archivedProject },
  adminProjects: page<object>({ ...project, is_archived: false }, { ...defaultProject, is_archived: false }),
  user: { ...envelope, ...signedUpUser },
  users: { ...envelope, items: [signedUpUser] },
  invitedUser: {
    ...envelope,
    ...user,
    one_time_link: `https://qr.example.com/dashboard/set-password#${token}`,
    expires_at: user.invited_until,
  },
  session: {
    ...envelope,
    kind: "user",
    user: { user_id: user.user_id, email: user.email, role: user.role },
    account,
    features: { creates: true, advanced: true },
    plans: [],
    expires_at: "2026-03-02T21:00:00.000Z",
    public_url: "https://qr.example.com",
  },
  signedOut: envelope,
  oneTimeLink: {
    ...envelope,
    email: user.email,
    account_name: account.name,
    expires_at: user.invited_until,
  },
  ownKey: { ...envelope, ...ownKey },
  ownKeys: { ...envelope, items: [ownKey] },
  ownKeyCreated: {
    ...envelope,
    ...ownKey,
    requests_this_minute: 0,
    requests_this_day: 0,
    key: "api_live_7h3k9m2p5r8t1w4x6z0b3d5f7g9j9f2c",
  },
  ownCodes: page({
    ...listItem,
    updated_at: renderedCode.updated_at,
    expires_at: renderedCode.expires_at,
    scan_limit: renderedCode.scan_limit,
    scan_count: renderedCode.scan_count,
    file_url_svg: renderedCode.file_url_svg,
  }),
  topCodes: {
    ...analytics,
    items: [{ qr_id: renderedCode.qr_id, label: renderedCode.label, status: renderedCode.status, scans: 40 }],
    other: 2,
  },
  visit: {
    ...envelope,
    outcome: "redirect",
    status: 302,
    url: "https://apps.example.com/ios",
    rule: 0,
    text: null,
    at: "2026-03-02T09:00:00.000Z",
    timezone: account.timezone,
  },
  rescan: { ...envelope, checked: 1_204, blocked: 1, unblocked: 0 },
  cluster: {
    ...envelope,
    enabled: true,
    members: [
      {
        member: 17,
        state: "owner",
        address: "qrelay-1.internal:7000",
        may_serve: true,
        confirmed_ms_ago: 212,
        partitions: 256,
        name: "6f1c2f0e-5a0b-4a5e-9a51-6c1d0f3c9b7e",
      },
      {
        member: 18,
        state: "follower",
        address: "qrelay-2.internal:7000",
        may_serve: true,
        confirmed_ms_ago: 96,
        partitions: 0,
        name: "b0c7d5a2-3f64-4f0e-8a2b-0d9c1e7f5a43",
      },
    ],
    to_fold: 0,
    awaited: 0,
  },
};

export const errorExample = { ...envelope, ok: false };
