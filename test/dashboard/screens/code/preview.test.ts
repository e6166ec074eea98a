/** What a page draws before a code is saved is, byte for byte, what the render worker draws after. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { RenderMetadata } from "../../../../src/domain/documents.ts";
import { defaultMetadata } from "../../../../src/domain/looks/render-metadata.ts";
import { render } from "../../../../workers/render.ts";
import { allStyles, longText, shortLink } from "../../../golden/styles.ts";
import { inBrowser, launchBrowser } from "../../../support/pages/browser.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

const others: Partial<RenderMetadata>[] = [
  { format_ratio: "16:9", width: 640, height: 360, output_alignment: "bottom-right" },
  { unit: "mm", width: 50, height: 50, dpi: 300, padding: 3 },
  { bg_transparent: true, foreground_color: "#123456" },
  { error_correction: "H", quiet_zone: 0 },
];

inBrowser("in every style, and for other letters and long contents", async () => {
  const rare = others.map((some) => ({ ...defaultMetadata, ...some }));
  const jobs = [
    ...[...allStyles(), ...rare].map((metadata) => ({ content: shortLink, metadata })),
    ...["Grüße, 世界 🌍", longText].flatMap((content) => rare.map((metadata) => ({ content, metadata }))),
  ];
  const page = await (await launchBrowser()).newPage();
  await page.addScriptTag({ content: await drawingCode() });
  const drawn = await page.evaluate(
    (all) =>
      all.map(({ content, metadata }) => (globalThis as unknown as Drawing).drawing.draw(content, metadata)),
    jobs,
  );
  assert.equal(drawn.length, jobs.length);
  for (const [at, job] of jobs.entries()) {
    const { svg } = render({ content: job.content, metadata: { ...job.metadata, export_png: false } });
    assert.deepEqual(drawn[at], { svg: new TextDecoder().decode(svg.bytes) }, JSON.stringify(job.metadata));
  }
});

interface Drawing {
  drawing: { draw(content: string, metadata: RenderMetadata): { svg: string } | { problem: string } };
}

/** The module that the pages draw with, for a page that has nothing else. */
async function drawingCode(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["src/dashboard/screens/code/looks/draw.ts"],
    alias: { qrcode: "qrcode/lib/core/qrcode.js" },
    write: false,
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "drawing",
  });
  return outputFiles[0]!.text;
}
