import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** A list with nothing in it says what would be here and how to get it. */
export function Empty(props: {
  icon: IconName;
  title: string;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <div class="empty-picture">
        <Icon name={props.icon} />
      </div>
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.action && <div class="row">{props.action}</div>}
    </div>
  );
}

/** Where something is on its way. */
export function Bones({ lines = 6, words = "Loading" }: { lines?: number; words?: string }) {
  return (
    <div class="bones" role="status">
      <span class="spoken">{words}…</span>
      {Array.from({ length: lines }, (_, line) => (
        <div class="bone" key={line} />
      ))}
    </div>
  );
}
