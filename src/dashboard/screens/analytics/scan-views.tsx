/** The five views of the scans of a range. They are asked for together, so that they show the same moment. */
import type { Hours, Interval, Ranking, Scope, Trend } from "../../api/analytics.ts";
import { readHours, readRanking, readTrend } from "../../api/analytics.ts";
import { Bars } from "../../parts/chart/bars.tsx";
import { ChartCard } from "../../parts/chart/chart-card.tsx";
import { busiestOf, cellWords, HeatMap, type HourCell } from "../../parts/chart/heat-map.tsx";
import { TrendChart, trendTable, trendWords } from "../../parts/chart/trend.tsx";
import { WorldMap } from "../../parts/chart/world-map.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { Failure, Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/small.tsx";
import { useLoad } from "../../parts/work.ts";
import { hourSpan, today, weekdayName } from "../../words/calendar.ts";
import { count, percent } from "../../words/numbers.ts";
import { countedWords, isNameless, nameOf } from "../../words/scans.ts";
import { day, zone } from "../../words/time.ts";
import { type Choice, intervalOf, queryOf, rangeWords } from "./range.ts";

interface Views {
  trend: Trend;
  hours: Hours;
  countries: Ranking;
  devices: Ranking;
  referrers: Ranking;
}

export function ScanViews({ scope, choice }: { scope: Scope; choice: Choice }) {
  const query = queryOf(choice);
  const interval = intervalOf(choice);
  const views = useLoad(
    (signal) => readViews(scope, query, interval, signal),
    [JSON.stringify([scope, query, interval])],
  );
  const { value, error, busy, reload } = views;
  return (
    <>
      {error !== null && <Failure error={error} retry={reload} />}
      {value !== null ? (
        <div class={busy ? "stack stack-wide is-busy" : "stack stack-wide"} aria-busy={busy}>
          {value.trend.cut && <Cut from={value.trend.from} />}
          {value.trend.total === 0 ? (
            <NoScans choice={choice} until={value.trend.complete_until} />
          ) : (
            <Charts views={value} choice={choice} />
          )}
        </div>
      ) : (
        error === null && (
          <div class="card card-flush">
            <Bones lines={12} words="Loading scans" />
          </div>
        )
      )}
    </>
  );
}

async function readViews(
  scope: Scope,
  query: ReturnType<typeof queryOf>,
  interval: Interval,
  signal: AbortSignal,
): Promise<Views> {
  const ranking = (by: "countries" | "devices" | "referrers") => readRanking(scope, by, query, signal);
  const [trend, hours, countries, devices, referrers] = await Promise.all([
    readTrend(scope, { ...query, interval }, signal),
    readHours(scope, query, signal),
    ranking("countries"),
    ranking("devices"),
    ranking("referrers"),
  ]);
  return { trend, hours, countries, devices, referrers };
}

function Charts({ views, choice }: { views: Views; choice: Choice }) {
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

function NoScans({ choice, until }: { choice: Choice; until: string }) {
  return (
    <div class="card">
      <Empty icon="trend" title="No scans in these days">
        {choice.robots === "only"
          ? `No known robot came by: ${rangeWords(choice)}.`
          : `Nothing was scanned: ${rangeWords(choice)}. Choose a longer range, or scan a code with your phone and look again.`}{" "}
        {choice.last >= today() && countedWords(until)}
      </Empty>
    </div>
  );
}

function Cut({ from }: { from: string }) {
  return (
    <Notice>
      Hours are kept for 90 days and days for 5 years; so these are the scans since {day(from)}, by whole days
      where they are older.
    </Notice>
  );
}
