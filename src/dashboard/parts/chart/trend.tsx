/**
 * Scans over time as a line, drawn by uPlot.
 *
 * The horizontal axis counts points and knows no time: days and hours are those of the account's clock, which the
 * service has worked out, while a time axis of the library would follow the clock of the browser. The last point is
 * mostly not over yet; the line to it is dashed, so that a day that has only begun does not look like a bad one.
 */
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import type { Interval } from "../../api/analytics.ts";
import { isDark } from "../../app/theme.ts";
import { pointMark, pointName } from "../../words/calendar.ts";
import { count, counted, shortCount } from "../../words/numbers.ts";
import type { Table } from "./data-table.tsx";

export interface TrendPoint {
  start: string;
  scans: number;
}

// On its way while the numbers are.
const library = import("./plot.ts");

interface TrendProps {
  points: readonly TrendPoint[];
  interval: Interval;
  /** The last point is still growing. */
  isOpen: boolean;
  height?: number;
}

const heightDefault = 240;

export function TrendChart(props: TrendProps) {
  const { points, interval, isOpen, height = heightDefault } = props;
  const box = useRef<HTMLDivElement>(null);
  const dark = isDark.value;
  useEffect(() => {
    const target = box.current;
    if (target === null) return;
    let plot: uPlot | null = null;
    let isGone = false;
    const watch = new ResizeObserver(() => plot?.setSize({ width: target.clientWidth, height }));
    library.then(({ default: Plot }) => {
      if (isGone) return;
      const options = optionsOf(points, interval, isOpen, { width: target.clientWidth, height });
      plot = new Plot(options, dataOf(points, isOpen), target);
      watch.observe(target);
      // The table behind the chart has the numbers in any case.
    }, console.warn);
    return () => {
      isGone = true;
      watch.disconnect();
      plot?.destroy();
    };
  }, [points, interval, isOpen, height, dark]);
  return <div class="trend" ref={box} style={{ height: `${height}px` }} />;
}

/** What is over, and the way from there to what is not. */
function dataOf(points: readonly TrendPoint[], isOpen: boolean): uPlot.AlignedData {
  const last = points.length - 1;
  const scans = points.map((point) => point.scans);
  const isSure = (index: number) => !isOpen || last === 0 || index < last;
  return [
    points.map((_, index) => index),
    scans.map((each, index) => (isSure(index) ? each : null)),
    scans.map((each, index) => (isOpen && index >= last - 1 ? each : null)),
  ];
}

/** Whole numbers: there are no halves of scans. */
const steps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat();

/** Room for the words below the axis. */
const markPixels = 72;
const markPixelsMin = 3;
/** With less room between points, no dot is drawn on each. */
const dotPixels = 18;

function optionsOf(
  points: readonly TrendPoint[],
  interval: Interval,
  isOpen: boolean,
  size: { width: number; height: number },
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `12px ${colour("sans")}`;
  // Tokens of colours are six digits: two more let the lines of the grid through.
  const line = { stroke: colour("accent"), width: 2, fill: `${colour("accent")}1c` };
  const dots: uPlot.Series.Points = {
    show: (plot) => points.length === 1 || plot.width / points.length > dotPixels,
    size: 6,
    fill: colour("card"),
    stroke: colour("accent"),
    width: 2,
  };
  const isWithinDay = interval === "hour" && points.length <= 48;
  const tip = document.createElement("div");
  tip.className = "trend-tip";
  return {
    ...size,
    padding: [12, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8, width: 2, fill: colour("card") } },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
    },
    series: [{}, { ...line, points: dots }, { ...line, dash: [4, 4], points: dots }],
    axes: [
      {
        font,
        stroke: colour("ink-soft"),
        grid: { show: false },
        ticks: { show: false },
        gap: 8,
        size: 28,
        splits: (plot) => marksOf(points.length, plot.width),
        values: (_, marks) => marks.map((mark) => pointMark(points[mark]!.start, interval, isWithinDay)),
      },
      {
        font,
        stroke: colour("ink-soft"),
        grid: { stroke: colour("line"), width: 1 },
        ticks: { show: false },
        gap: 8,
        size: (_, values) => 14 + 7 * Math.max(1, ...(values ?? []).map((value) => value.length)),
        incrs: steps,
        values: (_, marks) => marks.map(shortCount),
      },
    ],
    hooks: {
      init: [(plot) => plot.over.append(tip)],
      setCursor: [(plot) => showTip(plot, tip, points, interval, isOpen)],
    },
  };
}

/** Which points have words below them: evenly apart, none of them cut. */
function marksOf(points: number, width: number): number[] {
  const room = Math.max(markPixelsMin, Math.floor(width / markPixels));
  const step = Math.ceil(points / room);
  return Array.from({ length: Math.ceil(points / step) }, (_, index) => index * step);
}

function showTip(
  plot: uPlot,
  tip: HTMLElement,
  points: readonly TrendPoint[],
  interval: Interval,
  isOpen: boolean,
): void {
  const index = plot.cursor.idx;
  const point = index === null || index === undefined ? undefined : points[index];
  tip.hidden = point === undefined || (plot.cursor.left ?? -1) < 0;
  if (point === undefined || tip.hidden) return;
  const [name, scans] = [document.createElement("span"), document.createElement("strong")];
  name.textContent = pointName(point.start, interval);
  scans.textContent = `${counted(point.scans, "scan")}${isOpen && index === points.length - 1 ? " so far" : ""}`;
  tip.replaceChildren(name, scans);
  const left = plot.valToPos(index!, "x");
  const isRight = left > plot.over.clientWidth / 2;
  tip.style.left = isRight ? "auto" : `${left + 12}px`;
  tip.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : "auto";
}

export function trendTable(points: readonly TrendPoint[], interval: Interval): Table {
  return {
    head: [intervalWords[interval], "Scans"],
    rows: points.map(({ start, scans }) => [pointName(start, interval), count(scans)]),
  };
}

const intervalWords: Record<Interval, string> = { hour: "Hour", day: "Day", week: "Week", month: "Month" };

/** The chart in a sentence. */
export function trendWords(points: readonly TrendPoint[], interval: Interval): string {
  const total = points.reduce((sum, { scans }) => sum + scans, 0);
  const most = Math.max(0, ...points.map(({ scans }) => scans));
  const best = points.find(({ scans }) => scans === most);
  const peak = best && most > 0 ? ` Most: ${pointName(best.start, interval)}, ${counted(most, "scan")}.` : "";
  return `Line chart: ${counted(total, "scan")} by ${interval}.${peak}`;
}
