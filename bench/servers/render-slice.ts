/**
 * Draws images flat out for some seconds, or does nothing for as long, and prints what came of it.
 * Arguments: qrelay | qrcode | idle, threads, seconds.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import QRCode from "qrcode";
import { defaultMetadata } from "../../src/domain/looks/render-metadata.ts";
import { openRenderer } from "../../src/render/pool.ts";
import { slugAt } from "../filling/links.ts";

export interface RenderSlice {
  perSecond: number;
  pngBytes: number;
  svgBytes: number;
  /** Milliseconds. */
  loopDelayP99: number;
  loopDelayMax: number;
}

const [kind, threadsText, secondsText] = process.argv.slice(2) as [
  "qrelay" | "qrcode" | "idle",
  string,
  string,
];
const threads = Number(threadsText);
const warmMs = 700;
let drawn = 0;
let pngBytes = 0;
let svgBytes = 0;

const contentAt = (number: number) => `https://qr.example.com/${slugAt(number)}`;
const renderer = kind === "qrcode" ? null : openRenderer({ threads });

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

async function drawFor(ms: number): Promise<void> {
  const end = performance.now() + ms;
  const draw = kind === "qrcode" ? drawPeers : drawOurs;
  // One more than threads: the next job is there when a thread has finished.
  const lanes = kind === "qrcode" ? 1 : threads + 1;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < end) await draw();
    }),
  );
}

if (kind !== "qrcode") await Promise.all(Array.from({ length: threads }, drawOurs));
await (kind === "idle" ? pause(warmMs) : drawFor(warmMs));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
drawn = 0;
const began = performance.now();
await (kind === "idle" ? pause(Number(secondsText) * 1_000) : drawFor(Number(secondsText) * 1_000));
const seconds = (performance.now() - began) / 1_000;
delay.disable();
await renderer?.close();

const slice: RenderSlice = {
  perSecond: drawn / seconds,
  pngBytes,
  svgBytes,
  loopDelayP99: delay.percentile(99) / 1e6,
  loopDelayMax: delay.max / 1e6,
};
console.log(JSON.stringify(slice));
