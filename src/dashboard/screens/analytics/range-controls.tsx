/** Range, interval and robots. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Interval, Robots } from "../../api/analytics.ts";
import { user } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { Segments, Select } from "../../parts/field.tsx";
import { dayName, isDay, today } from "../../words/calendar.ts";
import {
  type Choice,
  daysOf,
  firstDayOf,
  intervalOf,
  offeredIntervals,
  offeredPresets,
  presets,
} from "./range.ts";

const intervalWords: Record<Interval, string> = {
  hour: "By hour",
  day: "By day",
  week: "By week",
  month: "By month",
};

const robotWords: readonly (readonly [Robots, string])[] = [
  ["exclude", "Without robots"],
  ["include", "With robots"],
  ["only", "Only robots"],
];

interface ControlProps {
  choice: Choice;
  onChoice: (changed: Partial<Choice>) => void;
}

export function RangeControls({ choice, onChoice }: ControlProps) {
  const daysMax = user().account.limits.analytics_days;
  const isOwn = choice.range === "own";
  const offered = offeredIntervals(daysOf(choice));
  return (
    <div class="stack stack-tight">
      <div class="controls">
        <Segments
          label="Range"
          value={choice.range}
          options={[...offeredPresets(daysMax), ["own", "Custom"]]}
          onValue={(range) => onChoice({ range })}
        />
        {offered.length > 1 && (
          <Select
            aria-label="Interval"
            value={intervalOf(choice)}
            onValue={(interval) => onChoice({ interval: interval as Interval })}
            options={offered.map((each) => [each, intervalWords[each]])}
          />
        )}
        <Select
          aria-label="Robots"
          title="Crawlers and makers of link previews that say so"
          value={choice.robots}
          onValue={(robots) => onChoice({ robots: robots as Robots })}
          options={robotWords}
        />
      </div>
      {isOwn && <OwnRange key={`${choice.first} ${choice.last}`} choice={choice} onChoice={onChoice} />}
      <PlanReach daysMax={daysMax} />
    </div>
  );
}

function OwnRange({ choice, onChoice }: ControlProps) {
  const first = useSignal(choice.first);
  const last = useSignal(choice.last);
  const ids = { first: useId(), last: useId(), problem: useId() };
  const min = firstDayOf(user().account.limits.analytics_days);
  const problem = problemOf(first.value, last.value, min);
  const isSame = first.value === choice.first && last.value === choice.last;
  return (
    <form
      class="controls own-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) onChoice({ range: "own", first: first.value, last: last.value });
      }}
    >
      <label for={ids.first}>From</label>
      <input
        id={ids.first}
        class="input"
        type="date"
        required
        min={min}
        max={today()}
        value={first.value}
        aria-describedby={ids.problem}
        onInput={(event) => {
          first.value = event.currentTarget.value;
        }}
      />
      <label for={ids.last}>to</label>
      <input
        id={ids.last}
        class="input"
        type="date"
        required
        min={min}
        max={today()}
        value={last.value}
        aria-describedby={ids.problem}
        onInput={(event) => {
          last.value = event.currentTarget.value;
        }}
      />
      <Button type="submit" disabled={isSame || problem !== null}>
        Show
      </Button>
      <span id={ids.problem} class="field-problem" role="status">
        {problem}
      </span>
    </form>
  );
}

function problemOf(first: string, last: string, min: string): string | null {
  if (!isDay(first) || !isDay(last)) return "Both days are needed.";
  if (first < min) return `Your plan goes back to ${dayName(min)}.`;
  if (last > today()) return "The last day is in the future.";
  return first > last ? "The first day is after the last one." : null;
}

/** Said where the plan leaves something out, and nowhere else. */
function PlanReach({ daysMax }: { daysMax: number }) {
  if (presets.every(([days]) => Number(days) <= daysMax)) return null;
  return (
    <p class="small soft">
      The plan “{user().account.plan}” shows the last {daysMax} days. Older scans are kept, and are there to
      see as soon as the plan goes further back.
    </p>
  );
}
