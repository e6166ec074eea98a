/** The hours of a week: a row for a day, a column for an hour. Below it, what is under the pointer. */
import { useSignal } from "@preact/signals";
import { hourName, hourSpan, weekdayName } from "../../words/calendar.ts";
import { counted } from "../../words/numbers.ts";
import { setting } from "../work.ts";
import { levelOf } from "./level.ts";
import { LevelKey } from "./level-key.tsx";

export interface HourCell {
  /** 0 is Monday. */
  weekday: number;
  hour: number;
  scans: number;
}

const labelEvery = 3;

/** `cells`: 7 × 24, from Monday, 0:00. */
export function HeatMap({ cells }: { cells: readonly HourCell[] }) {
  const pointed = useSignal<HourCell | null>(null);
  const busiest = busiestOf(cells);
  const most = busiest?.scans ?? 0;
  const shown = pointed.value ?? busiest;
  return (
    <>
      <div class="heat" onPointerLeave={setting(pointed, null)}>
        {Array.from({ length: 7 }, (_, weekday) => (
          <div class="heat-row" key={weekday}>
            <span class="heat-day">{weekdayName(weekday, "short")}</span>
            {cells.slice(weekday * 24, weekday * 24 + 24).map((cell) => (
              <div
                key={cell.hour}
                class={`heat-cell level-${levelOf(cell.scans, most)}`}
                onPointerEnter={setting(pointed, cell)}
              />
            ))}
          </div>
        ))}
        <div class="heat-row heat-hours">
          <span />
          {Array.from({ length: 24 / labelEvery }, (_, index) => (
            <span key={index}>{hourName(index * labelEvery)}</span>
          ))}
        </div>
      </div>
      <div class="chart-foot">
        <span>
          {shown && (
            <>
              {pointed.value === null && "Busiest: "}
              {cellWords(shown)}
            </>
          )}
        </span>
        <LevelKey most={most} />
      </div>
    </>
  );
}

export function cellWords({ weekday, hour, scans }: HourCell): string {
  return `${weekdayName(weekday, "long")}, ${hourSpan(hour)}: ${counted(scans, "scan")}`;
}

/** The first of those that have most; null where there is nothing. */
export function busiestOf(cells: readonly HourCell[]): HourCell | null {
  let busiest: HourCell | null = null;
  for (const cell of cells) if (cell.scans > (busiest?.scans ?? 0)) busiest = cell;
  return busiest;
}
