/** Short news of something that was done, gone again by themselves; read out as they come. */
import { signal } from "@preact/signals";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  words: string;
  tone: "good" | "bad";
}

const shownMs = 4_000;
const shownMsBad = 10_000;
const toastsMax = 3;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

export function tell(words: string, tone: Toast["tone"] = "good"): void {
  lastId += 1;
  const id = lastId;
  // The same news once more takes the place of the old.
  const others = toasts.value.filter((toast) => toast.words !== words);
  toasts.value = [...others, { id, words, tone }].slice(-toastsMax);
  setTimeout(() => remove(id), tone === "good" ? shownMs : shownMsBad);
}

function remove(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, words, tone }) => (
        <div class="toast" key={id}>
          <Icon name={tone === "good" ? "check" : "warning"} />
          <span class="grow">{words}</span>
          {tone === "bad" && (
            <Button look="quiet" small icon="cross" label="Dismiss" onClick={() => remove(id)} />
          )}
        </div>
      ))}
    </div>
  );
}
