/** Memory and latency over the time of a soak, one above the other. On a card of its own: any background will do. */
import { median } from "../../bench/compare.ts";
import { axis, linear, logarithmic, type Scale, ticksOfTime } from "./axes.ts";
import type { RestartMark, SoakResult } from "./run.ts";
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

const width = 960;
const left = 76;
const right = width - 24;
const panelHeight = 230;
const tops = { memory: 96, latency: 402 };
const height = 700;
/** Above, neighbours are drawn as their median. */
const pointsMax = 600;
const mib = 2 ** 20;
const inMib = (bytes: number | null) => (bytes === null ? null : bytes / mib);
const signalColours: Record<RestartMark["signal"], string> = { SIGKILL: "#d9704a", SIGTERM: "#b08a2e" };
const ink = "#1d2433";
const faint = "#5b6478";

const memoryLines: readonly Line[] = [
  {
    name: "resident, backed by no file",
    colour: "#2f6fb5",
    width: 1.8,
    value: (s) => inMib(s.residentBytes),
  },
  { name: "heap in use, main thread", colour: "#8a93a6", width: 1, value: (s) => inMib(s.heapBytes) },
];
const latencyLines: readonly Line[] = [
  { name: "API p99", colour: "#8e5bb5", width: 1, value: ({ api }) => api.p99 },
  { name: "API p50", colour: "#8e5bb5", width: 2.2, value: ({ api }) => api.p50 },
  { name: "scans p99", colour: "#2f9e6e", width: 1, value: ({ scans }) => scans.p99 },
  { name: "scans p50", colour: "#2f9e6e", width: 2.2, value: ({ scans }) => scans.p50 },
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
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Soak of qrelay: memory and latency over time" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#ffffff"/>`,
    text(24, 34, `qrelay soak: ${options.minutes} minutes, ${store}`, ink, 18, `font-weight="700"`),
    text(24, 54, circumstances, faint, 12),
    compared(result, x),
    ...panels.flatMap((panel) => drawn(panel, points, x)),
    ...restarts.map((mark) => restartLine(mark, x)),
    ...ticksOfTime(seconds, tops.latency + panelHeight, x),
    text((left + right) / 2, tops.latency + panelHeight + 40, "minutes", faint, 12, `text-anchor="middle"`),
    restarts.length === 0 ? "" : restartLegend(),
    "</svg>\n",
  ].join("\n");
}

function drawn({ top, title, lines, scale }: Panel, points: readonly Sample[], x: Place): string[] {
  let nextX = left + 8 + title.length * 7;
  const legend = lines.map(({ name, colour, width: stroke }) => {
    const at = nextX;
    nextX += 34 + name.length * 6.2;
    const mark = `<path d="M${at} ${top - 14}h16" stroke="${colour}" stroke-width="${stroke + 0.6}"/>`;
    return mark + text(at + 21, top - 10, name, faint, 11);
  });
  return [
    text(left, top - 10, title, ink, 13, `font-weight="600"`),
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
    if (found !== null) way += `${pen}${x(sample.second).toFixed(1)} ${scale.y(found).toFixed(1)}`;
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
      const band = `<rect x="${start.toFixed(1)}" y="${tops.memory}" width="${(end - start).toFixed(1)}" height="${panelHeight}" fill="#e4edf7"/>`;
      return (
        band +
        text((start + end) / 2, tops.memory + panelHeight - 8, "compared", faint, 10, `text-anchor="middle"`)
      );
    })
    .join("");
}

function restartLine({ atMs, signal }: RestartMark, x: Place): string {
  const at = x(atMs / 1_000).toFixed(1);
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
    `<path d="M${at} ${y - 10}v13" stroke="${signalColours[signal]}" stroke-width="1.6"${dash}/>${text(at + 8, y, `restart by ${signal}`, faint, 11)}`;
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

function text(x: number, y: number, content: string, colour: string, size: number, more = ""): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text x="${x.toFixed(1)}" y="${y}" font-size="${size}" fill="${colour}" ${more}>${escaped}</text>`;
}
