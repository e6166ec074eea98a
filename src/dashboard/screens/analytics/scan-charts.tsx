/** The charts of the scans of a range. */
import type { Hours, Ranking, Trend } from "../../api/analytics.ts";
import { Bars } from "../../parts/chart/bars.tsx";
import { ChartCard } from "../../parts/chart/chart-card.tsx";
import { busiestOf, cellWords, HeatMap, type HourCell } from "../../parts/chart/heat-map.tsx";
import { TrendChart, trendTable, trendWords } from "../../parts/chart/trend.tsx";
import { WorldMap } from "../../parts/chart/world-map.tsx";
import { Card } from "../../parts/small.tsx";
import { hourSpan, weekdayName } from "../../words/calendar.ts";
import { count, percent } from "../../words/numbers.ts";
import { countedWords, isNameless, nameOf } from "../../words/scans.ts";
import { zone } from "../../words/time.ts";
import { type Choice, rangeWords } from "./range.ts";

export interface Views {
  trend: Trend;
  hours: Hours;
  countries: Ranking;
  devices: Ranking;
  referrers: Ranking;
}

export function ScanCharts({ views, choice }: { views: Views; choice: Choice }) {
  const { trend, hours, countries, devices, referrers } = views;
  const cells = hours.items.map(({ hour, scans }, index): HourCell => {
    return { weekday: Math.floor(index / 24), hour, scans };
  });
  const busiest = busiestOf(cells);
  const byCountry = new Map(
    countries.items.filter(({ key }) => !isNameless(key)).map(({ key, scans }) => [key, scans]),
  );
  const { items, interval } = trend;
  const isOpen = Date.parse(trend.complete_until) < Date.parse(trend.to);
  return (
    <>
      <Figures views={views} choice={choice} countries={byCountry.size} />
      <ChartCard
        title="Scans over time"
        says={trendWords(items, interval)}
        table={trendTable(items, interval)}
        note={
          <>
            Times are those of {zone.value}. {isOpen && <>{countedWords(trend.complete_until)}</>}
          </>
        }
      >
        <TrendChart points={items} interval={interval} isOpen={isOpen} />
      </ChartCard>
      <Card title="Countries">
        <div class="map-and-bars">
          <div role="img" aria-label="Map of the countries of the scans; the list has the numbers.">
            <WorldMap scans={byCountry} total={countries.total} />
          </div>
          <RankingBars title="Countries" of="Country" by="countries" ranking={countries} />
        </div>
      </Card>
      <ChartCard
        title="Hours of the week"
        says={`Heat map of the hours of a week. ${busiest ? `Busiest: ${cellWords(busiest)}.` : ""}`}
        table={hoursTable(cells)}
      >
        <HeatMap cells={cells} />
      </ChartCard>
      <div class="halves">
        <Card title="Devices">
          <RankingBars title="Devices" of="Device" by="devices" ranking={devices} />
        </Card>
        <Card title="Referrers">
          <RankingBars title="Referrers" of="Site" by="referrers" ranking={referrers} />
        </Card>
      </div>
    </>
  );
}

function Figures(props: { views: Views; choice: Choice; countries: number }) {
  const { trend, devices } = props.views;
  const first = devices.items.find(({ key }) => !isNameless(key));
  return (
    <Card>
      <dl class="tiles">
        <div class="tile">
          <dt>{props.choice.robots === "only" ? "Scans by robots" : "Scans"}</dt>
          <dd>{count(trend.total)}</dd>
        </div>
        <div class="tile">
          <dt>Days</dt>
          <dd class="tile-words">{rangeWords(props.choice)}</dd>
        </div>
        <div class="tile">
          <dt>Countries</dt>
          <dd>{count(props.countries)}</dd>
        </div>
        {first && (
          <div class="tile">
            <dt>Most on</dt>
            <dd class="tile-words">
              {nameOf("devices", first.key)}, {percent(first.scans, devices.total)}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

type By = "countries" | "devices" | "referrers";

function RankingBars(props: { title: string; of: string; by: By; ranking: Ranking }) {
  const { title, of, by, ranking } = props;
  return (
    <Bars
      title={title}
      of={of}
      total={ranking.total}
      bars={ranking.items.map(({ key, scans }) => ({
        key,
        scans,
        name: nameOf(by, key),
        faint: isNameless(key),
      }))}
    />
  );
}

/** A row for an hour, a column for a day: so it fits where it is read. */
function hoursTable(cells: readonly HourCell[]) {
  const weekdays = Array.from({ length: 7 }, (_, weekday) => weekday);
  return {
    head: ["Hour", ...weekdays.map((weekday) => weekdayName(weekday, "short"))],
    rows: Array.from({ length: 24 }, (_, hour) => [
      hourSpan(hour),
      ...weekdays.map((weekday) => count(cells[weekday * 24 + hour]!.scans)),
    ]),
  };
}
