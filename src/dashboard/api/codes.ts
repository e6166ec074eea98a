/** QR codes. */
import type { RedirectRule } from "../../domain/documents.ts";
import type { CreateCodeBody, UpdateCodeBody } from "../../domain/requests.ts";
import type { Code, CodeAnswer, CodeListItem, NewCodeAnswer } from "../../schema/responses.ts";
import { call } from "./client.ts";

export interface CodeItem extends CodeListItem {
  updated_at: string;
  expires_at: string | null;
  scan_limit: number | null;
  scan_count: number;
  file_url_svg: string | null;
}

export interface Page<T> {
  items: T[];
  next_page_token: string | null;
}

export type CodeSort = "newest" | "oldest" | "label";

export interface CodeFilter {
  search?: string;
  project_id?: string;
  status?: readonly string[];
  type?: string;
  sort?: CodeSort;
  page_size?: number;
  page_token?: string | null;
}

export function listCodes(filter: CodeFilter, signal?: AbortSignal): Promise<Page<CodeItem>> {
  return call("GET", "/qr-codes", { query: { ...filter }, ...(signal && { signal }) });
}

/** Archived ones too. */
export function readCode(id: string, signal?: AbortSignal): Promise<Code> {
  return call<CodeAnswer>("GET", `/qr-codes/${encodeURIComponent(id)}`, signal && { signal });
}

export function createCode(body: CreateCodeBody): Promise<NewCodeAnswer> {
  return call("POST", "/v1/qr-codes", { body });
}

/** One whose content is in the image itself and that only the dashboard makes. */
export function createContentCode(body: {
  type: string;
  content: object;
  name?: string;
  project_id?: string;
  qr_render_metadata?: CreateCodeBody["qr_render_metadata"];
}): Promise<NewCodeAnswer> {
  return call("POST", "/qr-codes", { body });
}

export function updateCode(id: string, body: UpdateCodeBody): Promise<Code> {
  return call<CodeAnswer>("PATCH", `/v1/qr-codes/${encodeURIComponent(id)}`, { body });
}

/** Somebody who scans, and what of the code is not saved yet. */
export interface VisitQuestion {
  country?: string;
  device?: "ios" | "android" | "desktop";
  at?: string;
  redirect_url?: string;
  redirect_rules?: RedirectRule[];
}

export interface VisitAnswer {
  outcome: "redirect" | "text" | "blocked" | "archived" | "project_archived" | "expired" | "limit_reached";
  status: number;
  url: string | null;
  rule: number | null;
  text: string | null;
  at: string;
  timezone: string;
}

export function askVisit(id: string, question: VisitQuestion, signal?: AbortSignal): Promise<VisitAnswer> {
  return call("POST", `/qr-codes/${encodeURIComponent(id)}/visit`, {
    body: question,
    ...(signal && { signal }),
  });
}
