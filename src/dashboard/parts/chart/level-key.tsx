/** What the colours of a chart mean. */
import { count } from "../../words/numbers.ts";
import { levels } from "./level.ts";

export function LevelKey({ most }: { most: number }) {
  return (
    <div class="level-key" aria-hidden="true">
      <span>0</span>
      {Array.from({ length: levels + 1 }, (_, level) => (
        <i key={level} class={`level-${level}`} />
      ))}
      <span class="number">{count(most)}</span>
    </div>
  );
}
