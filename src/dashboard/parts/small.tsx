/** Parts of a line or two. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { count, percent } from "../words/numbers.ts";
import { Button } from "./button.tsx";
import { tell } from "./toast.tsx";

export type BadgeTone = "plain" | "good" | "warn" | "bad" | "accent";

export function Badge({ tone = "plain", children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

export function Card(props: {
  title?: string;
  actions?: ComponentChildren;
  flush?: boolean;
  children: ComponentChildren;
}) {
  return (
    <section class={props.flush ? "card card-flush" : "card"} aria-label={props.title}>
      {(props.title || props.actions) && (
        <div class="card-head">
          {props.title && <h2>{props.title}</h2>}
          {props.actions && <div class="row">{props.actions}</div>}
        </div>
      )}
      {props.children}
    </section>
  );
}

const nearlyFull = 0.9;

/** How much of a limit is used. */
export function Meter({ label, used, limit }: { label: string; used: number; limit: number }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const state = share >= 1 ? " is-full" : share >= nearlyFull ? " is-near" : used > 0 ? " is-some" : "";
  return (
    <div class="meter">
      <div class="meter-words">
        <span>{label}</span>
        <span class="number soft">
          {count(used)} of {count(limit)}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in their own way. */}
      <div
        class="meter-track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, used)}
        aria-valuenow={used}
        aria-valuetext={`${count(used)} of ${count(limit)}, ${percent(used, limit)}`}
      >
        <div class={`meter-fill${state}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

const doneMs = 1_600;

export function CopyButton(props: { text: string; what: string; words?: string; small?: boolean }) {
  const done = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      done.value = true;
      tell(`${props.what} copied`);
      setTimeout(() => {
        done.value = false;
      }, doneMs);
    } catch {
      tell(
        `The browser did not let this page copy. Select the text and copy it yourself: ${props.text}`,
        "bad",
      );
    }
  };
  return props.words ? (
    <Button icon={done.value ? "check" : "copy"} small={props.small ?? false} onClick={copy}>
      {props.words}
    </Button>
  ) : (
    <Button
      look="quiet"
      icon={done.value ? "check" : "copy"}
      small={props.small ?? false}
      label={`Copy ${props.what.toLowerCase()}`}
      onClick={copy}
    />
  );
}

/** Something that is shown this once. */
export function Secret({ text, what }: { text: string; what: string }) {
  return (
    <div class="secret">
      <code class="grow">{text}</code>
      <CopyButton text={text} what={what} words="Copy" small />
    </div>
  );
}
