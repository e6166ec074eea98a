import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AccountDoc,
  AnswerDoc,
  CodeDoc,
  FileDoc,
  KeyDoc,
  ProjectDoc,
} from "../../src/domain/documents.ts";
import { assertDocument } from "../../src/schema/validators.ts";
import type { Collection, Collections } from "../../src/store/store.ts";
import { sampleSession, sampleUser } from "../fakes/sample-documents.ts";

const account: AccountDoc = {
  id: "acc_1",
  name: "Example",
  plan: "agency",
  timezone: "UTC",
  api_access: true,
  limits: { burst: 5 },
  default_project_id: "prj_1",
  active_codes: 1,
  project_count: 1,
  created_at: 1,
  updated_at: 1,
};

const key: KeyDoc = {
  id: "key_1",
  account_id: "acc_1",
  hash: "00",
  last4: "abcd",
  name: "Shop",
  created_at: 1,
  last_used_at: null,
  revoked_at: null,
  minute: { start: 0, used: 0 },
  day: { start: 0, used: 0 },
};

const project: ProjectDoc = {
  id: "prj_1",
  account_id: "acc_1",
  name: "Default",
  description: "",
  is_archived: false,
  created_via: null,
  created_at: 1,
  updated_at: 1,
};

const code: CodeDoc = {
  id: "qr_1",
  account_id: "acc_1",
  project_id: "prj_1",
  slug: "qr-1",
  label: "Poster",
  type: "url",
  status: "active",
  blocked: false,
  redirect_url: "https://example.com/",
  text: null,
  redirect_rules: [{ condition: "device", value: "ios", url: "https://example.com/ios" }],
  expires_at: null,
  scan_limit: null,
  analytics_enabled: true,
  metadata: {
    format_ratio: "1:1",
    width: 512,
    height: 512,
    unit: "px",
    padding: 0,
    quiet_zone: 4,
    border_style: "none",
    dot_style: "square",
    eye_style: "square",
    foreground_color: "#000000",
    background_color: "#ffffff",
    bg_transparent: false,
    error_correction: "M",
    dpi: 300,
    export_png: true,
    output_alignment: "center",
  },
  render: {
    status: "pending",
    version: 1,
    requested_at: 1,
    attempt: 0,
    error: null,
    rendered_at: null,
    rendered_version: 0,
    svg: null,
    png: null,
  },
  created_at: 1,
  updated_at: 1,
};

const answer: AnswerDoc = {
  id: "answer",
  account_id: "acc_1",
  request_hash: "00",
  request_id: "r",
  status: 201,
  body: "{}",
  expires_at: 1,
};

const file: FileDoc = { id: "qr_1/00.svg", account_id: "acc_1", bytes: Buffer.from("<svg/>") };

const good: Collections = {
  accounts: account,
  keys: key,
  projects: project,
  codes: code,
  answers: answer,
  files: file,
  users: sampleUser(),
  sessions: sampleSession(),
};
const collections = Object.keys(good) as Collection[];

test("a document of each collection passes, and of no other", () => {
  for (const collection of collections) {
    for (const other of collections) {
      const check = () => assertDocument(collection, good[other]);
      if (collection === other) assert.doesNotThrow(check);
      else assert.throws(check, new RegExp(`^Error: ${collection}/`));
    }
  }
});

test("the error names collection, id and place", () => {
  const bad = { ...code, render: { ...code.render, version: -1 } };
  assert.throws(() => assertDocument("codes", bad), /^Error: codes\/qr_1: render\.version must be /);
  assert.throws(
    () => assertDocument("keys", { ...key, hash: undefined }),
    /^Error: keys\/key_1: hash must be /,
  );
  assert.throws(() => assertDocument("accounts", null), /^Error: accounts\/undefined: document must be /);
});

test("a limit that is malformed is noticed", () => {
  for (const burst of [-1, 1.5, Number.NaN, "5", null]) {
    assert.throws(() => assertDocument("accounts", { ...account, limits: { burst } }), /limits\.burst/);
  }
});
