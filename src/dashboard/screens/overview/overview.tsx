/** The first screen: how the account is doing. */
import { readTrend, type Trend } from "../../api/analytics.ts";
import { address } from "../../app/location.ts";
import { user } from "../../app/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { ChartCard } from "../../parts/chart/chart-card.tsx";
import { TrendChart, trendTable, trendWords } from "../../parts/chart/trend.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useLoad } from "../../parts/work.ts";
import { addDays, type Day, today } from "../../words/calendar.ts";
import { count } from "../../words/numbers.ts";
import { countedWords } from "../../words/scans.ts";
import { toWall } from "../../words/time.ts";
import { TopCodes } from "../analytics/top-codes.tsx";
import { newCodeLink } from "../codes/new-code-link.tsx";
import { Usage } from "./usage.tsx";

/** Stretches up to now that have a figure each, today among them. The chart has the longest. */
const stretches = [
  [1, "Today"],
  [7, "Last 7 days"],
  [30, "Last 30 days"],
] as const;

const topCodesShown = 5;

export default function Overview() {
  const { account } = user();
  // As far back as the plan goes.
  const days = Math.min(30, account.limits.analytics_days + 1);
  const query = { from: addDays(today(), 1 - days), interval: days < 3 ? "hour" : "day" } as const;
  const trend = useLoad((signal) => readTrend({ kind: "account" }, query, signal), [days]);
  const isScanned = trend.value !== null && trend.value.total > 0;
  const isNew = account.usage.active_codes === 0 && trend.value?.total === 0;
  return (
    <Page title="Overview" actions={newCodeLink()}>
      {trend.error !== null && <Failure error={trend.error} retry={trend.reload} />}
      {isNew ? <Welcome /> : trend.value !== null ? <Scans trend={trend.value} days={days} /> : null}
      {trend.value === null && trend.error === null && (
        <div class="card card-flush">
          <Bones lines={10} words="Loading scans" />
        </div>
      )}
      <div class={isScanned ? "halves" : undefined}>
        {isScanned && (
          <TopCodes
            scope={{ kind: "account" }}
            query={{ from: query.from }}
            limit={topCodesShown}
            words={days === 1 ? "Today" : `Last ${count(days)} days`}
          />
        )}
        <Usage />
      </div>
    </Page>
  );
}

function Scans({ trend, days }: { trend: Trend; days: number }) {
  const { items, interval, complete_until } = trend;
  return (
    <ChartCard
      title="Scans"
      says={trendWords(items, interval)}
      table={trendTable(items, interval)}
      note={`Known robots are left out. ${countedWords(complete_until)}`}
      actions={
        <ButtonLink href={address("/analytics")} look="quiet" small icon="trend">
          More
          <span class="spoken"> about scans</span>
        </ButtonLink>
      }
      figures={
        <dl class="tiles tiles-three">
          {stretches
            .filter(([length]) => length <= days)
            .map(([length, words]) => (
              <Figure key={length} words={words} scans={sumSince(trend, addDays(today(), 1 - length))} />
            ))}
        </dl>
      }
    >
      <TrendChart points={items} interval={interval} isOpen />
    </ChartCard>
  );
}

function Figure({ words, scans }: { words: string; scans: number }) {
  return (
    <div class="tile">
      <dt>{words}</dt>
      <dd>{count(scans)}</dd>
    </div>
  );
}

function sumSince({ items }: Trend, first: Day): number {
  return items
    .filter(({ start }) => toWall(start).slice(0, 10) >= first)
    .reduce((sum, { scans }) => sum + scans, 0);
}

function Welcome() {
  return (
    <div class="card">
      <Empty icon="code" title="Make your first code" action={newCodeLink()}>
        Print it once, and change where it leads as often as you like. Every scan is counted, and shows here.
      </Empty>
    </div>
  );
}
