/** QR codes. */
import type { CreateContentBody, VisitBody } from "../../domain/dashboard-requests.ts";
import type { CreateCodeBody, UpdateCodeBody } from "../../domain/requests.ts";
import type { OwnCodeListItem, VisitAnswer } from "../../schema/dashboard-responses.ts";
import type { Code, CodeAnswer, NewCodeAnswer, Page } from "../../schema/responses.ts";
import { call } from "./client.ts";

export type CodeItem = OwnCodeListItem;

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
  return call("GET", "/qr-codes", { query: { ...filter }, signal });
}

/** Archived ones too. */
export function readCode(id: string, signal?: AbortSignal): Promise<Code> {
  return call<CodeAnswer>("GET", `/qr-codes/${encodeURIComponent(id)}`, { signal });
}

export function createCode(body: CreateCodeBody): Promise<NewCodeAnswer> {
  return call("POST", "/v1/qr-codes", { body });
}

type NewContent = Omit<CreateContentBody, "content"> & { content: object };

/** One whose content is in the image itself and that only the dashboard makes. */
export function createContentCode(body: NewContent): Promise<NewCodeAnswer> {
  return call("POST", "/qr-codes", { body });
}

export function updateCode(id: string, body: UpdateCodeBody): Promise<Code> {
  return call<CodeAnswer>("PATCH", `/v1/qr-codes/${encodeURIComponent(id)}`, { body });
}

export function askVisit(id: string, body: VisitBody, signal?: AbortSignal): Promise<VisitAnswer> {
  return call("POST", `/qr-codes/${encodeURIComponent(id)}/visit`, { body, signal });
}
