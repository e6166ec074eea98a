/** Memory and latency over the time of a soak, one above the other. */
import {
  axis,
  card,
  chartWidth,
  colours,
  linear,
  logarithmic,
  place,
  type Scale,
  text,
  ticksOfTime,
} from "../../../bench/report/chart.ts";
import { median } from "../../../bench/report/compare.ts";
import type { RestartMark, SoakResult } from "../run.ts";
import type { Sample } from "./samples.ts";

interface Panel {
  top: number;
  title: string;
  lines: readonly Line[];
  scale: Scale;
}

interface Line {
  name: string;
  colour: string;
  width: number;
  value(sample: Sample): number | null;
}

const left = 76;
const right = chartWidth - 24;
const panelHeight = 230;
const tops = { memory: 96, latency: 402 };
const height = 700;
/** Above, neighbours are drawn as their median. */
const pointsMax = 600;
const mib = 2 ** 20;
const inMib = (bytes: number | null) => (bytes === null ? null : bytes / mib);
const signalColours: Record<RestartMark["signal"], string> = { SIGKILL: colours.bad, SIGTERM: "#b08a2e" };

const memoryLines: readonly Line[] = [
  {
    name: "resident, backed by no file",
    colour: "#2f6fb5",
    width: 1.8,
    value: (s) => inMib(s.residentBytes),
  },
  { name: "heap in use, main thread", colour: colours.grey, width: 1, value: (s) => inMib(s.heapBytes) },
];
const latencyLines: readonly Line[] = [
  { name: "API p99", colour: "#8e5bb5", width: 1, value: ({ api }) => api.p99 },
  { name: "API p50", colour: "#8e5bb5", width: 2.2, value: ({ api }) => api.p50 },
  { name: "scans p99", colour: colours.good, width: 1, value: ({ scans }) => scans.p99 },
  { name: "scans p50", colour: colours.good, width: 2.2, value: ({ scans }) => scans.p50 },
];

type Drawn = Pick<SoakResult, "samples" | "restarts" | "memory" | "options" | "store">;

export function plot(result: Drawn, circumstances: string): string {
  const { samples, restarts, options, store } = result;
  const seconds = Math.max(1, samples.at(-1)?.second ?? 1);
  const x = (second: number) => left + ((right - left) * second) / seconds;
  const points = thinned(samples);
  const panels: Panel[] = [
    {
      top: tops.memory,
      title: "memory of the service, MiB",
      lines: memoryLines,
      scale: linear(valuesOf(points, memoryLines), tops.memory, panelHeight),
    },
    {
      top: tops.latency,
      title: "latency in each second, ms (log scale)",
      lines: latencyLines,
      scale: logarithmic(valuesOf(points, latencyLines), tops.latency, panelHeight),
    },
  ];
  return card(height, "Soak of qrelay: memory and latency over time", [
    text(24, 34, `qrelay soak: ${options.minutes} minutes, ${store}`, {
      size: 18,
      weight: 700,
      colour: colours.ink,
    }),
    text(24, 54, circumstances, { size: 12 }),
    compared(result, x),
    ...panels.flatMap((panel) => drawn(panel, points, x)),
    ...restarts.map((mark) => restartLine(mark, x)),
    ...ticksOfTime(seconds, tops.latency + panelHeight, x),
    text((left + right) / 2, tops.latency + panelHeight + 40, "minutes", { size: 12, anchor: "middle" }),
    restarts.length === 0 ? "" : restartLegend(),
  ]);
}

function drawn({ top, title, lines, scale }: Panel, points: readonly Sample[], x: Place): string[] {
  let nextX = left + 8 + title.length * 7;
  const legend = lines.map(({ name, colour, width: stroke }) => {
    const at = nextX;
    nextX += 34 + name.length * 6.2;
    const mark = `<path d="M${at} ${top - 14}h16" stroke="${colour}" stroke-width="${stroke + 0.6}"/>`;
    return mark + text(at + 21, top - 10, name, { size: 11 });
  });
  return [
    text(left, top - 10, title, { size: 13, weight: 600, colour: colours.ink }),
    ...legend,
    ...axis(scale, left, right),
    ...lines.map((line) => path(line, points, scale, x)),
  ];
}

type Place = (second: number) => number;

/** A second without a value is a gap. */
function path(
  { value, colour, width: stroke }: Line,
  points: readonly Sample[],
  scale: Scale,
  x: Place,
): string {
  let pen = "M";
  let way = "";
  for (const sample of points) {
    const found = value(sample);
    if (found !== null) way += `${pen}${place(x(sample.second))} ${place(scale.y(found))}`;
    pen = found === null ? "M" : "L";
  }
  return `<path d="${way}" fill="none" stroke="${colour}" stroke-width="${stroke}" stroke-linejoin="round"/>`;
}

/** What the verdict on memory compares. */
function compared({ memory }: Drawn, x: Place): string {
  if (memory === null) return "";
  return [memory.first, memory.last]
    .map(({ from, to }) => {
      const [start, end] = [x(from), Math.min(right, x(to))];
      const band = `<rect x="${place(start)}" y="${tops.memory}" width="${place(end - start)}" height="${panelHeight}" fill="#e4edf7"/>`;
      return (
        band +
        text((start + end) / 2, tops.memory + panelHeight - 8, "compared", { size: 10, anchor: "middle" })
      );
    })
    .join("");
}

function restartLine({ atMs, signal }: RestartMark, x: Place): string {
  const at = place(x(atMs / 1_000));
  const dash = signal === "SIGTERM" ? ` stroke-dasharray="4 3"` : "";
  return [tops.memory, tops.latency]
    .map(
      (top) =>
        `<path d="M${at} ${top}v${panelHeight}" stroke="${signalColours[signal]}" stroke-width="1.2"${dash}/>`,
    )
    .join("");
}

function restartLegend(): string {
  const y = height - 22;
  const item = (at: number, signal: RestartMark["signal"], dash: string) =>
    `<path d="M${at} ${y - 10}v13" stroke="${signalColours[signal]}" stroke-width="1.6"${dash}/>${text(at + 8, y, `restart by ${signal}`, { size: 11 })}`;
  return item(left, "SIGKILL", "") + item(left + 140, "SIGTERM", ` stroke-dasharray="4 3"`);
}

function valuesOf(points: readonly Sample[], lines: readonly Line[]): number[] {
  return points.flatMap((sample) =>
    lines.map(({ value }) => value(sample)).filter((found) => found !== null),
  );
}

function thinned(samples: readonly Sample[]): readonly Sample[] {
  const size = Math.ceil(samples.length / pointsMax);
  if (size <= 1) return samples;
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, at) =>
    middle(samples.slice(at * size, (at + 1) * size)),
  );
}

function middle(group: readonly Sample[]): Sample {
  const of = (value: (sample: Sample) => number | null) => {
    const found = group.map(value).filter((each) => each !== null);
    return found.length === 0 ? null : median(found);
  };
  const first = group[0]!;
  return {
    ...first,
    residentBytes: of((sample) => sample.residentBytes),
    heapBytes: of((sample) => sample.heapBytes),
    scans: { ...first.scans, p50: of(({ scans }) => scans.p50), p99: of(({ scans }) => scans.p99) },
    api: { ...first.api, p50: of(({ api }) => api.p50), p99: of(({ api }) => api.p99) },
  };
}
