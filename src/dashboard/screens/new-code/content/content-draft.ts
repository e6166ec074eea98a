/**
 * Content while it is written: checked as it is by the very functions that make the picture. A field that is still
 * empty is no mistake until somebody wants the code; another mistake is told when the writer pauses.
 */
import { useSignal } from "@preact/signals";
import { ContentError, type ContentType, encodeContent } from "../../../../domain/content/content.ts";
import { Refusal } from "../../../api/client.ts";
import { problemOf, useSettled } from "../../../parts/work.ts";
import { emptyContent } from "./forms.tsx";

export interface ContentDraft {
  content: object;
  onContent: (content: object) => void;
  /** What the picture carries; null while something is wrong. */
  text: string | null;
  problemOf: (field: string) => string | null;
  /** From now on all mistakes are told. */
  insist: () => void;
}

const pauseMs = 800;

/** Every type keeps what was written for it. */
export function useContentDraft(type: ContentType): ContentDraft {
  const contents = useSignal<Partial<Record<ContentType, object>>>({});
  const insisted = useSignal<ContentType | null>(null);
  const content = contents.value[type] ?? emptyContent(type);
  const settled = useSettled(content, pauseMs);
  const encoded = encode(type, content);
  const isTold =
    insisted.value === type ||
    (settled.value === content && !encoded.problem?.message.includes("is required"));
  return {
    content,
    onContent: (changed) => {
      contents.value = { ...contents.value, [type]: changed };
    },
    text: encoded.text,
    problemOf: (field) => (isTold ? problemOf(encoded.problem, field) : null),
    insist: () => {
      insisted.value = type;
    },
  };
}

function encode(type: ContentType, content: object): { text: string | null; problem: Refusal | null } {
  try {
    return { text: encodeContent(type, content), problem: null };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    // As the service would say it.
    const field = `content.${error.field}`;
    return { text: null, problem: new Refusal(400, "invalid_request", `${field} ${error.problem}`, field) };
  }
}
