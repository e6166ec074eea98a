import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

type Tone = "plain" | "good" | "warn" | "bad";

const icons: Record<Tone, IconName> = { plain: "info", good: "check", warn: "warning", bad: "warning" };

/** Something the reader should know here, before going on. */
export function Notice({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon name={icons[tone]} />
      <div class="notice-body">{children}</div>
    </div>
  );
}

/** What went wrong and, where a repeat may help, a way to repeat it. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <Notice tone="bad">
      <div>{messageOf(error)}</div>
      {retry && (
        <Button small onClick={retry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong. Load the page again.";
}
