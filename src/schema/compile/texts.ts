/** What typia turns into code: the JSON of what is written most. */
import typia from "typia";
import type * as documents from "../../domain/documents.ts";
import type * as responses from "../responses.ts";

export const codeWithoutLooks = typia.json.createStringify<Omit<documents.CodeDoc, "metadata">>();
export const newCodeWithoutLooks =
  typia.json.createStringify<Omit<responses.NewCode, "qr_render_metadata">>();
