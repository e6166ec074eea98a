/**
 * Draws images flat out at the line `draw`, or does nothing at the line `rest`, for as many seconds as the line says, and
 * prints what came of it. Arguments: qrelay | qrcode, threads.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import QRCode from "qrcode";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { renderJobsAtOnce } from "../../src/limits.ts";
import { openRenderer } from "../../src/render/pool.ts";
import { slugAt } from "../filling/links.ts";

export interface Drawn {
  perSecond: number;
  pngBytes: number;
  svgBytes: number;
  /** Milliseconds. */
  loopDelayP99: number;
  loopDelayMax: number;
}

const [kind, threadsText] = process.argv.slice(2);
const threads = Number(threadsText);
let drawn = 0;
let pngBytes = 0;
let svgBytes = 0;

const contentAt = (number: number) => `https://qr.example.com/${slugAt(number)}`;
const renderer = kind === "qrelay" ? openRenderer({ threads }) : null;

async function drawOurs(): Promise<void> {
  const { png, svg } = await renderer!.render({ content: contentAt(drawn), metadata: defaultMetadata });
  pngBytes = png!.bytes.length;
  svgBytes = svg.bytes.length;
  drawn++;
}

async function drawPeers(): Promise<void> {
  const png = await QRCode.toBuffer(contentAt(drawn), { width: 512, errorCorrectionLevel: "M" });
  pngBytes = png.length;
  drawn++;
}

async function drawFor(seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const draw = renderer === null ? drawPeers : drawOurs;
  // As many as the render queue hands over.
  const lanes = renderer === null ? 1 : 2 * threads * renderJobsAtOnce;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < end) await draw();
    }),
  );
}

async function slice(what: string, seconds: number): Promise<Drawn> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  drawn = 0;
  const began = performance.now();
  await (what === "draw" ? drawFor(seconds) : pause(seconds * 1_000));
  const took = (performance.now() - began) / 1_000;
  delay.disable();
  return {
    perSecond: drawn / took,
    pngBytes,
    svgBytes,
    loopDelayP99: delay.percentile(99) / 1e6,
    loopDelayMax: delay.max / 1e6,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [what, seconds] = line.split(" ") as [string, string];
  console.log(JSON.stringify(await slice(what, Number(seconds))));
}
await renderer?.close();
