import type { RenderMetadata } from "../../src/domain/documents.ts";
import type { Layout } from "./layout.ts";
import { op, type Path } from "./path.ts";

/** Draws the foreground as one path and the background as another: minimal, and without seams at any zoom. */
export function drawSvg(path: Path, layout: Layout, metadata: RenderMetadata): string {
  const { width, height } = layout;
  const shown =
    metadata.unit === "px"
      ? `width="${width}" height="${height}"`
      : `width="${metadata.width}${metadata.unit}" height="${metadata.height}${metadata.unit}"`;
  const background = metadata.bg_transparent
    ? ""
    : `<path fill="${metadata.background_color}" d="M0 0h${width}v${height}H0z"/>`;
  const fill = metadata.foreground_color;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${shown} viewBox="0 0 ${width} ${height}">` +
    `${background}<path fill="${fill}" d="${pathData(path)}"/></svg>`
  );
}

/** Coordinates are kept in hundredths of a pixel, so that relative steps add up to exactly the absolute ones. */
function pathData(path: Path): string {
  let data = "";
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  for (let at = 0; at < path.length; ) {
    const kind = path[at++];
    if (kind === op.close) {
      data += "z";
      x = startX;
      y = startY;
      continue;
    }
    const radius = kind === op.arc ? path[at++]! : 0;
    const toX = Math.round(path[at++]! * 100);
    const toY = Math.round(path[at++]! * 100);
    const stepX = toX - x;
    const stepY = toY - y;
    if (kind === op.arc) {
      const r = number(Math.round(radius * 100));
      data += `a${r}${joined(r)} 0 0 ${path[at++]}${spaced(stepX)}${spaced(stepY)}`;
    } else if (kind === op.move) {
      data += `m${number(stepX)}${spaced(stepY)}`;
      startX = toX;
      startY = toY;
    } else if (path[at] === op.close && toX === startX && toY === startY) {
      continue;
    } else if (stepY === 0) {
      if (stepX !== 0) data += `h${number(stepX)}`;
    } else if (stepX === 0) {
      data += `v${number(stepY)}`;
    } else {
      data += `l${number(stepX)}${spaced(stepY)}`;
    }
    x = toX;
    y = toY;
  }
  return data;
}

function number(hundredths: number): string {
  const text = String(hundredths / 100);
  if (text.startsWith("0.")) return text.slice(1);
  return text.startsWith("-0.") ? `-${text.slice(2)}` : text;
}

/** A sign separates by itself. */
function spaced(hundredths: number): string {
  return hundredths < 0 ? number(hundredths) : ` ${number(hundredths)}`;
}

function joined(text: string): string {
  return text.startsWith(".") ? text : ` ${text}`;
}
