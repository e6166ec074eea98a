/** The figures of a soak, in Markdown that also reads well on a terminal. */

import { tableOf } from "../../../bench/report/table.ts";
import type { SoakResult } from "../run.ts";
import { comparedSecondsMin, ratioMax } from "./memory.ts";

const mib = 2 ** 20;

export function isGood({ counts, memory }: SoakResult): boolean {
  return counts.failed === 0 && memory?.isFlat !== false;
}

export function report(result: SoakResult): string {
  return [tableOf([["Figure", "Value"], ...figures(result)]), ...failed(result)].join("\n");
}

function figures(result: SoakResult): string[][] {
  const { options, counts, exactness, latency, restarts } = result;
  const seconds = result.samples.length;
  const kills = restarts.filter(({ signal }) => signal === "SIGKILL").length;
  const slowest = Math.max(0, ...restarts.map(({ readyMs }) => readyMs));
  return [
    ["store", result.store],
    ["time, seed", `${options.minutes} min, ${options.seed}`],
    ["requests answered", `${whole(counts.answered)} (${whole(counts.answered / Math.max(1, seconds))}/s)`],
    ["lost with a restart, 503 around one", `${whole(counts.lost)}, ${whole(counts.unavailable)}`],
    ["held back by the soak itself", whole(result.heldBack)],
    ["restarts", `${kills} SIGKILL, ${restarts.length - kills} SIGTERM, ready within ${whole(slowest)} ms`],
    ["scans p50, p99 (undisturbed)", `${ms(latency.scan.p50)}, ${ms(latency.scan.p99)}`],
    ["API p50, p99 (undisturbed)", `${ms(latency.api.p50)}, ${ms(latency.api.p99)}`],
    ["codes checked", whole(exactness.codes)],
    [
      "scans answered ≤ counted ≤ answered + lost",
      [exactness.scansAnswered, exactness.scansCounted, exactness.scansSent].map(whole).join(" ≤ "),
    ],
    ["limits used up, each exactly", whole(exactness.exhausted)],
    ["memory, low of the resident", memoryText(result)],
    ["lowest heap in both stretches", heapText(result)],
    ["failures", whole(counts.failed)],
  ];
}

function memoryText({ memory }: SoakResult): string {
  if (memory === null) return `not judged: it takes two stretches of ${comparedSecondsMin} s`;
  const { firstBytes, lastBytes, ratio, isFlat } = memory;
  const sizes = `${(firstBytes / mib).toFixed(1)} → ${(lastBytes / mib).toFixed(1)} MiB`;
  return `${isFlat ? "flat" : "GROWS"}: ${sizes}, × ${ratio.toFixed(3)} (at most ${ratioMax})`;
}

function heapText({ memory }: SoakResult): string {
  if (memory === null) return "not judged";
  const { firstHeapLow, lastHeapLow } = memory;
  const [first, last] = [firstHeapLow, lastHeapLow].map((bytes) =>
    bytes === null ? "unknown" : (bytes / mib).toFixed(1),
  );
  return `${first} → ${last} MiB`;
}

function failed({ failures, counts }: SoakResult): string[] {
  if (counts.failed === 0) return [];
  const more = counts.failed - failures.length;
  return ["", ...failures.map((what) => `FAILED ${what}`), ...(more > 0 ? [`and ${more} more`] : [])];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function ms(value: number | null): string {
  return value === null ? "none" : `${value.toFixed(2)} ms`;
}
