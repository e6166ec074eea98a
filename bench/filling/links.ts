/**
 * The links that benches store and scan, made from their number alone: the process that stores them, the
 * peers that keep them in a `Map` and the load that asks for them agree without passing a file around.
 */
import { hashKey } from "../../src/account/directory.ts";
import type { AccountDoc, CodeDoc, KeyDoc, ProjectDoc, RedirectRule } from "../../src/domain/documents.ts";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { keyOfWords, slugOfKey } from "../../src/link/slug.ts";

const made = Date.UTC(2025, 10, 14);
const half = 2 ** 25 - 1;
const unlimited = 1_000_000_000;

/** Scattered as random ones are, and never the same twice: a Feistel network is a permutation. */
export function slugAt(number: number): string {
  let high = Math.floor(number / 2 ** 25) & half;
  let low = number & half;
  for (const key of [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f]) {
    const mixed = Math.imul(low ^ (low >>> 13) ^ key, 0x2c1b3c6d);
    const next = high ^ ((mixed ^ (mixed >>> 15)) & half);
    high = low;
    low = next;
  }
  return slugOfKey(keyOfWords(high, low));
}

/** 30 characters. */
export function targetAt(number: number): string {
  return `https://shop.example.com/${number.toString(36).padStart(5, "0")}`;
}

/** The accounts of a filled store: one with most links, and two for the comparison of lists. */
export const accounts = {
  links: "acc_bench_links",
  many: "acc_bench_many",
  few: "acc_bench_few",
} as const;
export type AccountId = (typeof accounts)[keyof typeof accounts];

export function keyOf(account: AccountId): string {
  return `api_live_${account.replaceAll("_", "").padEnd(32, "0")}`;
}

export function accountDoc(id: AccountId, codes: number): AccountDoc {
  return {
    id,
    name: id,
    plan: "enterprise",
    timezone: "Europe/Berlin",
    api_access: true,
    limits: { qr_cap: unlimited, per_minute: unlimited, per_day: unlimited, burst: unlimited },
    default_project_id: projectOf(id),
    project_count: 1,
    active_codes: codes,
    created_at: made,
    updated_at: made,
  };
}

export function projectDoc(account: AccountId): ProjectDoc {
  return {
    id: projectOf(account),
    account_id: account,
    name: "Bench",
    description: "",
    is_archived: false,
    created_via: null,
    created_at: made,
    updated_at: made,
  };
}

export function keyDoc(account: AccountId): KeyDoc {
  return {
    id: `key_${account}`,
    account_id: account,
    hash: hashKey(keyOf(account)),
    last4: keyOf(account).slice(-4),
    name: "bench",
    created_at: made,
    last_used_at: null,
    revoked_at: null,
    minute: { start: 0, used: 0 },
    day: { start: 0, used: 0 },
  };
}

export function codeId(number: number): string {
  return `qr_${String(number).padStart(10, "0")}`;
}

export function codeDoc(number: number, account: AccountId, hasRules: boolean): CodeDoc {
  return {
    id: codeId(number),
    account_id: account,
    project_id: projectOf(account),
    slug: slugAt(number),
    label: `Link ${number}`,
    type: "url",
    status: "active",
    blocked: false,
    redirect_url: targetAt(number),
    text: null,
    redirect_rules: hasRules ? fiveRules : [],
    expires_at: null,
    scan_limit: null,
    // As codes made over the API have it: what it costs belongs to the figures.
    analytics_enabled: true,
    metadata: defaultMetadata,
    render: {
      status: "done",
      version: 1,
      requested_at: made,
      attempt: 1,
      error: null,
      rendered_at: made,
      rendered_version: 1,
      svg: "00112233445566778899aabbccddeeff",
      png: "ffeeddccbbaa99887766554433221100",
    },
    created_at: made,
    updated_at: made,
  };
}

/** No scan matches before the fifth, and visitors with an Android device match that one. */
const fiveRules: RedirectRule[] = [
  { condition: "country", value: "IS", url: "https://shop.example.com/is" },
  {
    condition: "schedule",
    schedule_days: ["mon", "tue", "wed", "thu", "fri"],
    schedule_start: "03:33",
    schedule_end: "03:34",
    url: "https://shop.example.com/night",
  },
  {
    condition: "device",
    value: "ios",
    condition2: "country",
    value2: "NZ",
    url: "https://shop.example.com/nz",
  },
  {
    condition: "schedule",
    schedule_days: ["sat", "sun"],
    schedule_start: "03:33",
    schedule_end: "03:34",
    url: "https://shop.example.com/weekend",
  },
  { condition: "device", value: "android", url: "https://shop.example.com/android" },
];

function projectOf(account: AccountId): string {
  return account.replace("acc", "prj");
}
