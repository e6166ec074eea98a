/** The frame of the pages before the sign-in. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Mark } from "../../parts/icon.tsx";

export function Gate({
  title,
  foot,
  children,
}: {
  title: string;
  foot?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} – qrelay`;
  }, [title]);
  return (
    <main class="gate">
      <div class="brand">
        <Mark />
        qrelay
      </div>
      <div class="card stack">
        <h1>{title}</h1>
        {children}
      </div>
      {foot && <div class="gate-foot">{foot}</div>}
    </main>
  );
}
