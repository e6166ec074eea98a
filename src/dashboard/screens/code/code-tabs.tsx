/** The two sides of a code: what it is, and how it is used. */
import { address } from "../../app/location.ts";

export function CodeTabs({ id, at }: { id: string; at: "code" | "analytics" }) {
  return (
    <nav class="tabs" aria-label="Parts of the code">
      <a href={address(`/codes/${id}`)} aria-current={at === "code" ? "page" : undefined}>
        Code
      </a>
      <a href={address(`/codes/${id}/analytics`)} aria-current={at === "analytics" ? "page" : undefined}>
        Analytics
      </a>
    </nav>
  );
}
