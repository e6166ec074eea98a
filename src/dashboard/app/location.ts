/** Where the reader is: the browser's address as a signal, and ways to move on without loading the page again. */
import { signal } from "@preact/signals";

export const base = "/dashboard";

interface Place {
  /** Below the base, without a slash at its end: "" is the first screen. */
  path: string;
  query: URLSearchParams;
  /** Without its sign. It reaches no server and no log. */
  fragment: string;
}

export const place = signal<Place>(here());

/** Asked before a screen is left; false stays. */
let mayLeave: (() => boolean) | null = null;

export function startLocation(): void {
  addEventListener("popstate", () => {
    place.value = here();
  });
  addEventListener("beforeunload", (event) => {
    if (mayLeave !== null) event.preventDefault();
  });
  document.addEventListener("click", followLink);
}

export function guardLeaving(guard: (() => boolean) | null): void {
  mayLeave = guard;
}

export function address(path: string, query?: Record<string, string>): string {
  const text = query === undefined ? "" : new URLSearchParams(query).toString();
  return `${base}${path}${text === "" ? "" : `?${text}`}`;
}

export function go(path: string, query?: Record<string, string>): void {
  if (mayLeave !== null && !mayLeave()) return;
  mayLeave = null;
  history.pushState(null, "", address(path, query));
  place.value = here();
  scrollTo(0, 0);
}

/** The same screen with another address, for filters and the like: going back skips it. */
export function adjust(path: string, query?: Record<string, string>): void {
  history.replaceState(null, "", address(path, query));
  place.value = here();
}

function here(): Place {
  const { pathname, search, hash } = window.location;
  return {
    path: pathname.slice(base.length).replace(/\/+$/, ""),
    query: new URLSearchParams(search),
    fragment: hash.slice(1),
  };
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return;
  const { origin, pathname, search } = new URL(link.href);
  const isOurs = pathname === base || pathname.startsWith(`${base}/`);
  if (origin !== window.location.origin || !isOurs || link.hash !== "") return;
  event.preventDefault();
  go(pathname.slice(base.length), Object.fromEntries(new URLSearchParams(search)));
}
