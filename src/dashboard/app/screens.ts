/**
 * Every screen: its address, who may see it, where its code is. The code of a screen is loaded when it is first opened,
 * so the first view waits for what it shows and for nothing else. To add a screen, add a line.
 */
import type { ComponentType } from "preact";
import type { Me } from "../api/session.ts";
import type { IconName } from "../parts/icon.tsx";
import type { ScreenProps } from "./screen.ts";

export type Audience = "user" | "owner" | "operator";

export interface Screen {
  /** Below the base; `:name` takes one part. */
  path: string;
  audience: Audience;
  load: () => Promise<{ default: ComponentType<ScreenProps> }>;
  /** In the navigation under this name. */
  nav?: { words: string; icon: IconName };
}

export const screens: readonly Screen[] = [
  {
    path: "",
    audience: "user",
    load: () => import("../screens/overview/overview.tsx"),
    nav: { words: "Overview", icon: "overview" },
  },
  {
    path: "/codes",
    audience: "user",
    load: () => import("../screens/codes/codes.tsx"),
    nav: { words: "QR codes", icon: "code" },
  },
  { path: "/codes/new", audience: "user", load: () => import("../screens/new-code/new-code.tsx") },
  { path: "/codes/:id", audience: "user", load: () => import("../screens/code/code.tsx") },
  { path: "/codes/:id/print", audience: "user", load: () => import("../screens/code/print.tsx") },
  {
    path: "/codes/:id/analytics",
    audience: "user",
    load: () => import("../screens/analytics/code-analytics.tsx"),
  },
  {
    path: "/analytics",
    audience: "user",
    load: () => import("../screens/analytics/account-analytics.tsx"),
    nav: { words: "Analytics", icon: "trend" },
  },
  {
    path: "/projects",
    audience: "user",
    load: () => import("../screens/projects/projects.tsx"),
    nav: { words: "Projects", icon: "project" },
  },
  {
    path: "/keys",
    audience: "owner",
    load: () => import("../screens/keys/keys.tsx"),
    nav: { words: "API keys", icon: "key" },
  },
  {
    path: "/people",
    audience: "owner",
    load: () => import("../screens/people/people.tsx"),
    nav: { words: "People", icon: "people" },
  },
  {
    path: "/account",
    audience: "user",
    load: () => import("../screens/account/account.tsx"),
    nav: { words: "Account", icon: "account" },
  },
  {
    path: "/operator",
    audience: "operator",
    load: () => import("../screens/operator/accounts.tsx"),
    nav: { words: "Accounts", icon: "operator" },
  },
  {
    path: "/operator/accounts/:id",
    audience: "operator",
    load: () => import("../screens/operator/account.tsx"),
  },
];

export function maySee(me: Me, audience: Audience): boolean {
  if (me.kind === "operator") return audience === "operator";
  return audience === "user" || (audience === "owner" && me.user.role === "owner");
}

export interface Found {
  screen: Screen;
  params: Record<string, string>;
}

export function findScreen(path: string): Found | null {
  for (const screen of screens) {
    const params = match(screen.path, path);
    if (params !== null) return { screen, params };
  }
  return null;
}

function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(given[index]!);
    else if (part !== given[index]) return null;
  }
  return params;
}

/** Whether this screen, or one below it, is the one that is open. */
export function isWithin(screenPath: string, path: string): boolean {
  return screenPath === "" ? path === "" : path === screenPath || path.startsWith(`${screenPath}/`);
}
