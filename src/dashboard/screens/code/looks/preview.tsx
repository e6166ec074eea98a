/** A code as it is going to look. */
import { useEffect, useMemo } from "preact/hooks";
import type { RenderMetadata } from "../../../../domain/documents.ts";
import { Notice } from "../../../parts/notice.tsx";
import { draw } from "./draw.ts";

/** As long as a real one, so that the symbol has the size that it is going to have. */
export const sampleSlug = "qr-0123456789";

export function Preview({
  content,
  metadata,
  alt,
}: {
  content: string;
  metadata: RenderMetadata;
  alt: string;
}) {
  const drawn = useMemo(() => draw(content, metadata), [content, metadata]);
  const url = useMemo(
    () => ("svg" in drawn ? URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" })) : null),
    [drawn],
  );
  useEffect(() => () => void (url !== null && URL.revokeObjectURL(url)), [url]);
  if (url === null) return <Notice tone="warn">{"problem" in drawn ? drawn.problem : null}</Notice>;
  return (
    <div class={metadata.bg_transparent ? "preview preview-transparent" : "preview"}>
      <img src={url} alt={alt} />
    </div>
  );
}
