/** Draws one picture of all styles: `tsx scripts/contact-sheet.ts <file.png>`. */
import { writeFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { RenderMetadata } from "../src/domain/documents.ts";
import { defaultMetadata } from "../src/domain/looks/render-metadata.ts";
import { borderStyles, dotStyles, eyeStyles, shortLink } from "../test/golden/styles.ts";
import { render } from "../workers/render.ts";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";

const colours = ["#1d3557", "#7a1f3d", "#1b4d3e", "#4a2c82"] as const;

const cell = 300;
const gap = 36;
const labelHeight = 26;
const captionStyle = "15px sans-serif";

function samples() {
  const base: RenderMetadata = { ...defaultMetadata, width: cell, height: cell, quiet_zone: 2 };
  const styles = dotStyles.map((dot_style) =>
    eyeStyles.map((eye_style) => ({
      caption: `dot ${dot_style}, eye ${eye_style}`,
      metadata: { ...base, dot_style, eye_style },
    })),
  );
  const borders = borderStyles.map((border_style, at) => ({
    caption: `border ${border_style}, ${colours[at]}`,
    metadata: {
      ...base,
      border_style,
      quiet_zone: 4,
      foreground_color: colours[at]!,
      dot_style: dotStyles[(2 * at + 1) % dotStyles.length]!,
      eye_style: eyeStyles[at]!,
    },
  }));
  return [...styles, borders];
}

async function drawSheet(rows: ReturnType<typeof samples>): Promise<Buffer> {
  const width = gap + eyeStyles.length * (cell + gap);
  const height = gap + rows.length * (cell + labelHeight + gap);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#f1f1ee";
  context.fillRect(0, 0, width, height);
  context.font = captionStyle;
  context.textAlign = "center";
  for (const [row, line] of rows.entries()) {
    for (const [column, { caption, metadata }] of line.entries()) {
      const x = gap + column * (cell + gap);
      const y = gap + row * (cell + labelHeight + gap);
      const { png } = render({ content: shortLink, metadata });
      context.drawImage(await loadImage(png!.bytes), x, y);
      context.fillStyle = "#333333";
      context.fillText(caption, x + cell / 2, y + cell + 20);
    }
  }
  return canvas.toBuffer("image/png");
}

const usage = `usage: npx tsx scripts/contact-sheet.ts FILE.png

Draws every dot style with every eye style, and the borders, into one picture.
  --help  show this text`;

const { positionals } = readCommandLine("contact-sheet", usage, { allowPositionals: true });
if (positionals.length !== 1) refuseCommandLine("contact-sheet", "say where to write: FILE.png");
writeFileSync(positionals[0]!, await drawSheet(samples()));
