/** Every value of the keys that change how a code is drawn, and contents to draw. */
import type { RenderMetadata } from "../../src/domain/documents.ts";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";

export const dotStyles = [
  "square",
  "rounded",
  "extra-rounded",
  "dots",
  "diamond",
  "classy",
  "classy-rounded",
] as const satisfies RenderMetadata["dot_style"][];
export const eyeStyles = [
  "square",
  "rounded",
  "circle",
  "leaf",
] as const satisfies RenderMetadata["eye_style"][];
export const borderStyles = [
  "none",
  "solid",
  "rounded",
  "dashed",
] as const satisfies RenderMetadata["border_style"][];
export const levels = ["L", "M", "Q", "H"] as const satisfies RenderMetadata["error_correction"][];

export const shortLink = "http://localhost:3000/qr-abcdefghjk";

/** 1,000 characters, of several encoding modes. */
export const longText = Array.from(
  { length: 40 },
  (_, line) => `Line ${line}: PACK MY BOX with 5 dozen jugs. `,
)
  .join("")
  .slice(0, 1_000);

export function allStyles(): RenderMetadata[] {
  return dotStyles.flatMap((dot_style) =>
    eyeStyles.flatMap((eye_style) =>
      borderStyles.flatMap((border_style) =>
        levels.flatMap((error_correction) =>
          [false, true].map((bg_transparent) => ({
            ...defaultMetadata,
            dot_style,
            eye_style,
            border_style,
            error_correction,
            bg_transparent,
          })),
        ),
      ),
    ),
  );
}

export function nameOf(metadata: RenderMetadata): string {
  const { dot_style, eye_style, border_style, error_correction, bg_transparent } = metadata;
  const ground = bg_transparent ? "transparent" : "opaque";
  return `${dot_style} ${eye_style} ${border_style} ${error_correction} ${ground} ${metadata.width}×${metadata.height}`;
}
