/** What the colours of a chart mean; nothing where all is of one. */
import { count } from "../../words/numbers.ts";
import { levels } from "./level.ts";

export function LevelKey({ most }: { most: number }) {
  if (most === 0) return null;
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
