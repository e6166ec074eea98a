/** A code as it is going to look, drawn here by the code that draws the real one. */
import { useEffect, useMemo } from "preact/hooks";
import { drawPicture } from "../../../../workers/picture.ts";
import { drawSvg } from "../../../../workers/svg.ts";
import type { RenderMetadata } from "../../../domain/documents.ts";
import { assertScannable } from "../../../domain/looks/render-metadata.ts";
import { symbolModules } from "../../../domain/looks/symbol-size.ts";
import { Notice } from "../../parts/notice.tsx";

/** As long as a real one, so that the symbol has the size that it is going to have. */
export const sampleSlug = "qr-0123456789";

type Drawn = { svg: string } | { problem: string };

export function draw(content: string, metadata: RenderMetadata): Drawn {
  const modules = symbolModules(content, metadata.error_correction);
  if (modules === null) {
    return { problem: "This is too much for one code. Shorten it, or choose a lower error correction." };
  }
  try {
    assertScannable(metadata, modules);
    const { path, layout } = drawPicture({ content, metadata });
    return { svg: drawSvg(path, layout, metadata) };
  } catch {
    return {
      problem:
        "The picture is too small for a camera to read. Make it larger, or reduce padding and quiet zone.",
    };
  }
}

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
