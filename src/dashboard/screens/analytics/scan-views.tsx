/**
 * The scans of a range, chosen here and seen in five ways. The views are asked for together, so that they show the same
 * moment.
 */
import {
  type AnalyticsQuery,
  type Interval,
  readHours,
  readRanking,
  readTrend,
  type Scope,
} from "../../api/analytics.ts";
import { Refusal } from "../../api/client.ts";
import { user } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { Failure, Notice } from "../../parts/notice.tsx";
import { useLoad } from "../../parts/work.ts";
import { today } from "../../words/calendar.ts";
import { counted } from "../../words/numbers.ts";
import { countedWords } from "../../words/scans.ts";
import { day } from "../../words/time.ts";
import { type Choice, intervalOf, newest, queryOf, rangeWords, writeChoice } from "./range.ts";
import { RangeControls } from "./range-controls.tsx";
import { ScanCharts, type Views } from "./scan-charts.tsx";
import { TopCodes } from "./top-codes.tsx";

const topCodesShown = 10;

export function ScanViews({ scope, choice }: { scope: Scope; choice: Choice }) {
  const query = queryOf(choice);
  const interval = intervalOf(choice);
  const loaded = useLoad(
    // With what was asked for: until other days are here, these are not called by their name.
    async (signal) => ({ views: await readViews(scope, query, interval, signal), of: choice }),
    [JSON.stringify([scope, query, interval])],
  );
  const { error, busy, reload } = loaded;
  const isTooEarly = error instanceof Refusal && error.code === "feature_disabled";
  const value = isTooEarly ? null : loaded.value;
  return (
    <>
      <RangeControls choice={choice} onChoice={(changed) => writeChoice({ ...choice, ...changed })} />
      {isTooEarly ? (
        <TooEarly onRecent={() => writeChoice({ ...choice, range: newest })} />
      ) : (
        error !== null && <Failure error={error} retry={reload} />
      )}
      {value !== null ? (
        <div class={busy ? "stack stack-wide is-busy" : "stack stack-wide"} aria-busy={busy}>
          {value.views.trend.cut && <Cut from={value.views.trend.from} />}
          {value.views.trend.total === 0 ? (
            <NoScans choice={value.of} until={value.views.trend.complete_until} />
          ) : (
            <>
              <ScanCharts views={value.views} choice={value.of} />
              {scope.kind !== "code" && <TopCodes scope={scope} query={query} limit={topCodesShown} />}
            </>
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
  query: AnalyticsQuery,
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

/** An address that was kept while the plan went further back. */
function TooEarly({ onRecent }: { onRecent: () => void }) {
  const { plan, limits } = user().account;
  return (
    <Notice>
      <div>
        These days are further back than the plan “{plan}” shows: the last{" "}
        {counted(limits.analytics_days, "day")}.
      </div>
      <Button small onClick={onRecent}>
        Show the newest
      </Button>
    </Notice>
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
