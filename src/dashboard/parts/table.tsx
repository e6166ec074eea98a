/** What tables of several screens have in common. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { dayAndTime, fromNow } from "../words/time.ts";
import { Button } from "./button.tsx";

/** What stands over a column, and how: at its end, on wide screens alone, or for screen readers alone. */
type Column = string | readonly [words: string, look: "end" | "wide-only" | "spoken"];

export function Heads({ columns, children }: { columns: readonly Column[]; children?: ComponentChildren }) {
  return (
    <thead>
      <tr>
        {children}
        {columns.map((column) => {
          const [words, look] = typeof column === "string" ? [column] : column;
          return (
            <th key={words} scope="col" class={look === "spoken" ? "pinched" : look}>
              {look === "spoken" ? <span class="spoken">{words}</span> : words}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** A moment in few words, and in full to whoever points at it. */
export function Moment({ at, words }: { at: string; words: (at: string) => string }) {
  return (
    <time dateTime={at} title={dayAndTime(at)}>
      {words(at)}
    </time>
  );
}

export function LastTime({ at }: { at: string | null }) {
  return at === null ? "Never" : <Moment at={at} words={fromNow} />;
}

/** From page to page of a list. The tokens are those of the pages after the first; the last is that of this page. */
export function Pages(props: { tokens: Signal<readonly string[]>; next: string | null; busy: boolean }) {
  const { tokens, next, busy } = props;
  if (tokens.value.length === 0 && next === null) return null;
  const turn = (to: readonly string[]) => () => {
    tokens.value = to;
    scrollTo(0, 0);
  };
  return (
    <nav class="row row-end" aria-label="Pages">
      <span class="soft small grow">
        Page {tokens.value.length + 1}
        {busy && " …"}
      </span>
      <Button icon="left" disabled={tokens.value.length === 0} onClick={turn(tokens.value.slice(0, -1))}>
        Previous
      </Button>
      <Button disabled={next === null} onClick={turn([...tokens.value, next ?? ""])}>
        Next
      </Button>
    </nav>
  );
}
