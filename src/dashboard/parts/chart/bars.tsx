/** Named numbers, most first, as bars. It is a table: what is drawn and what is read out are the same. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { count, percent } from "../../words/numbers.ts";
import { Button } from "../button.tsx";

export interface Bar {
  key: string;
  name: ComponentChildren;
  scans: number;
  /** What is no name of its own, such as the rest: shown paler. */
  faint?: boolean;
}

const barsAtFirst = 8;

export function Bars(props: { title: string; of: string; bars: readonly Bar[]; total: number }) {
  const { title, of, bars, total } = props;
  const isWhole = useSignal(false);
  const most = Math.max(1, ...bars.map(({ scans }) => scans));
  // One more is shown rather than a button for it.
  const isLong = bars.length > barsAtFirst + 1;
  const shown = isLong && !isWhole.value ? bars.slice(0, barsAtFirst) : bars;
  return (
    <div class="stack stack-tight">
      <table class="bars">
        <caption class="spoken">{title}</caption>
        <thead class="spoken">
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Scans</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, name, scans, faint }) => (
            <tr key={key}>
              <th scope="row">
                <div class="bar-track" aria-hidden="true">
                  <div class={faint ? "bar is-faint" : "bar"} style={{ width: `${(scans / most) * 100}%` }} />
                </div>
                <span class="bar-name">{name}</span>
              </th>
              <td class="number">{count(scans)}</td>
              <td class="number soft">{percent(scans, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isLong && (
        <div>
          <Button
            look="quiet"
            small
            icon={isWhole.value ? "up" : "down"}
            onClick={() => {
              isWhole.value = !isWhole.value;
            }}
          >
            {isWhole.value ? "Show fewer" : `Show all ${count(bars.length)}`}
          </Button>
        </div>
      )}
    </div>
  );
}
