/** Every picture that readers are tried on: all dot styles, eyes, levels, three sizes and three contents. */
import type { RenderMetadata } from "../../../src/domain/documents.ts";
import { assertScannable, defaultMetadata } from "../../../src/domain/looks/render-metadata.ts";
import { symbolModules } from "../../../src/domain/looks/sizes.ts";
import { render } from "../../../workers/render.ts";
import { lay } from "../../../workers/shapes/layout.ts";
import { dotStyles, eyeStyles, levels, shortLink } from "../../golden/styles.ts";
import { pixelsOfPng } from "./decode.ts";
import { type GreyPixels, inGrey } from "./distortions.ts";

const sides = [128, 512, 1_024];
export const contents = {
  "short link": shortLink,
  "long link": `https://codes.summer-campaign.example.co.uk/${"a/long/way/to/the/links/".repeat(4)}qr-abcdefghjk`,
  text: `Grüße aus der Küche! ${"Heute: Suppe 4,50 €, Brot 2 €, Käse 6 €. ".repeat(5)}`,
} as const;

export interface Case {
  content: keyof typeof contents;
  metadata: RenderMetadata;
  /** Pixels a module. */
  module: number;
}

/** Pictures that the service refuses to make are not in it: a long text in 128 pixels. */
export function readingMatrix(): Case[] {
  const found: Case[] = [];
  for (const content of Object.keys(contents) as (keyof typeof contents)[]) {
    for (const dot_style of dotStyles) {
      for (const eye_style of eyeStyles) {
        for (const error_correction of levels) {
          for (const side of sides) {
            const looks = { dot_style, eye_style, error_correction, width: side, height: side };
            const metadata = { ...defaultMetadata, ...looks };
            const modules = symbolModules(contents[content], error_correction)!;
            if (!isAccepted(metadata, modules)) continue;
            found.push({ content, metadata, module: lay(metadata, modules).module });
          }
        }
      }
    }
  }
  return found;
}

function isAccepted(metadata: RenderMetadata, modules: number): boolean {
  try {
    assertScannable(metadata, modules);
    return true;
  } catch {
    return false;
  }
}

export async function picture({ content, metadata }: Case): Promise<GreyPixels> {
  const { width, height, data } = await pixelsOfPng(
    render({ content: contents[content], metadata }).png!.bytes,
  );
  return inGrey(width, height, data);
}

export function nameOfCase({ content, metadata }: Case): string {
  const { dot_style, eye_style, error_correction, width } = metadata;
  return `${content}, ${dot_style}, ${eye_style}, ${error_correction}, ${width} px`;
}

/** The same content, level and size, all square. */
export function plainOf(one: Case): Case {
  return { ...one, metadata: { ...one.metadata, dot_style: "square", eye_style: "square" } };
}
