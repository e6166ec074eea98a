/**
 * The index entries of a document, as keys of one LMDB database each.
 *
 * A code has two entries in the code list, with the project either named or left out, and two more that name its type:
 *
 *     account project type status id → lower-cased label, slug
 *
 * so that every combination of filters is one range per status, already in the order of ids, and a search
 * in labels walks the entries without reading a document. A ranking of all codes needs their slugs and nothing else of
 * them: they are with the entries that leave the type out, if those were written since there are rankings.
 *
 * Nearly all codes are of one type, and two entries cost a create a tenth of all that it costs. So those of that type are
 * not in a range of their own: they are what is in the range of all types and in that of no other one. A list of them
 * passes whatever else there is between them; it costs no more than the others where nearly all codes are theirs.
 */
import { wantsImage } from "../../domain/code/render-state.ts";
import {
  type AccountDoc,
  type AnswerDoc,
  type CodeDoc,
  type CodeStatus,
  type CodeType,
  codeTypes,
  type KeyDoc,
  type ProjectDoc,
  type SessionDoc,
  type UserDoc,
} from "../../domain/documents.ts";
import type { CodeQuery, Collection, Collections } from "../store.ts";

export type IndexName =
  | "key_hash"
  | "code_slug"
  | "account_keys"
  | "account_projects"
  | "code_list"
  | "code_rendering"
  | "answer_expiry"
  | "user_email"
  | "account_users"
  | "session_expiry";

export interface IndexEntry {
  index: IndexName;
  key: string;
  value: string;
  /** What the entry makes unique, in words; two documents with such an entry collide. */
  unique?: string;
}

/** Sorts below every character of an id, and is in none. */
const separator = " ";
/** Sorts right behind the separator: the end of everything that starts with a prefix. */
const behindSeparator = "!";

/** Three bytes a character at most keep a key below LMDB's 1,978 bytes. */
const keyCharsMax = 600;

export function usableKey(key: string): boolean {
  return key.length > 0 && key.length <= keyCharsMax;
}

export function usableId(id: string): boolean {
  return usableKey(id) && !id.includes(separator);
}

/** Null where nothing of a collection is in an index. */
const entriesOf: { [C in Collection]: ((doc: Collections[C]) => IndexEntry[]) | null } = {
  accounts: null,
  keys: entriesOfKey,
  projects: entriesOfProject,
  codes: entriesOfCode,
  answers: (answer) => entriesOfExpiring("answer_expiry", answer),
  files: null,
  users: entriesOfUser,
  sessions: (session) => entriesOfExpiring("session_expiry", session),
};

export function isIndexed(collection: Collection): boolean {
  return entriesOf[collection] !== null;
}

export function indexEntries<C extends Collection>(collection: C, doc: Collections[C]): IndexEntry[] {
  return entriesOf[collection]?.(doc) ?? [];
}

function entriesOfKey({ id, account_id, hash }: KeyDoc): IndexEntry[] {
  return [
    { index: "key_hash", key: hash, value: id, unique: "key hash" },
    { index: "account_keys", key: joined(account_id, id), value: "" },
  ];
}

function entriesOfProject({ id, account_id }: ProjectDoc): IndexEntry[] {
  return [{ index: "account_projects", key: joined(account_id, id), value: "" }];
}

function entriesOfCode(code: CodeDoc): IndexEntry[] {
  const { listed } = prefixesOf(code);
  const label = code.label.toLowerCase();
  const entries: IndexEntry[] = [{ index: "code_slug", key: code.slug, value: code.id, unique: "slug" }];
  // Those with the same value one after the other: it is written down once for both (see `hand`).
  const withSlug = label + beforeSlug + code.slug;
  for (const { prefix, isOfType } of listed) {
    entries.push({ index: "code_list", key: prefix + code.id, value: isOfType ? label : withSlug });
  }
  if (wantsImage(code.render)) {
    entries.push({ index: "code_rendering", key: code.id, value: "" });
  }
  return entries;
}

/** The type that nearly all codes have. Those that layout 3 listed by it stay there, and nobody looks. */
const unlistedType: CodeType = "url";
const listedTypes = codeTypes.filter((type) => type !== unlistedType);

interface Prefixes extends Pick<CodeDoc, "account_id" | "project_id" | "type" | "status"> {
  listed: readonly { prefix: string; isOfType: boolean }[];
}

/** Of the code that was asked for last: codes that are stored together are mostly of the same kind. */
let lastPrefixes: Prefixes | null = null;

/** What the keys of a code in the code list begin with. */
function prefixesOf(code: CodeDoc): Prefixes {
  const { account_id, project_id, type, status } = code;
  const last = lastPrefixes;
  if (
    last !== null &&
    last.account_id === account_id &&
    last.project_id === project_id &&
    last.type === type &&
    last.status === status
  ) {
    return last;
  }
  const listed = (type === unlistedType ? [""] : ["", type]).flatMap((of) =>
    ["", project_id].map((project) => ({
      prefix: joined(account_id, project, of, status, ""),
      isOfType: of !== "",
    })),
  );
  lastPrefixes = { account_id, project_id, type, status, listed };
  return lastPrefixes;
}

/** In lower case there is no such letter. */
const beforeSlug = "S";

export function labelIn(listed: string): string {
  const end = listed.indexOf(beforeSlug);
  return end < 0 ? listed : listed.slice(0, end);
}

/** Null where it is not said. */
export function slugListed(listed: string): string | null {
  const end = listed.indexOf(beforeSlug);
  return end < 0 ? null : listed.slice(end + 1);
}

function entriesOfUser({ id, account_id, email }: UserDoc): IndexEntry[] {
  return [
    { index: "user_email", key: email, value: id, unique: "e-mail" },
    { index: "account_users", key: joined(account_id, id), value: "" },
  ];
}

function entriesOfExpiring(index: IndexName, { id, expires_at }: AnswerDoc | SessionDoc): IndexEntry[] {
  return [{ index, key: joined(sortableMillis(expires_at), id), value: "" }];
}

function joined(...parts: string[]): string {
  return parts.join(separator);
}

/** Digits of equal length, so that the order of text is the order of time. */
function sortableMillis(ms: number): string {
  return String(ms).padStart(16, "0");
}

export function idOfKey(key: string): string {
  return key.slice(key.lastIndexOf(separator) + 1);
}

/** All that comes behind the key; null is before all. */
export function rangeBehind(key: string | null): { start?: string; exclusiveStart?: boolean } {
  return key === null ? {} : { start: key, exclusiveStart: true };
}

export interface KeyRange {
  from: string;
  to: string;
}

export function rangeOf(account: AccountDoc["id"]): KeyRange {
  return { from: account + separator, to: account + behindSeparator };
}

/** Where the codes of a query are: all that are in `range`, but for those that are in one of `without` as well. */
export interface CodeListRange {
  range: KeyRange;
  without: readonly KeyRange[];
}

export function codeListRange(
  { account_id, project_id, type }: CodeQuery,
  status: CodeStatus,
): CodeListRange {
  const rangeOfType = (type: CodeType | ""): KeyRange => {
    const prefix = joined(account_id, project_id ?? "", type, status);
    return { from: prefix + separator, to: prefix + behindSeparator };
  };
  if (type !== unlistedType) return { range: rangeOfType(type ?? ""), without: [] };
  return { range: rangeOfType(""), without: listedTypes.map(rangeOfType) };
}

export function expiredRange(before: number): KeyRange {
  return { from: "", to: sortableMillis(before) };
}
