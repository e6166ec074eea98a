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

function screen(path: string, audience: Audience, load: Screen["load"], nav?: Screen["nav"]): Screen {
  return { path, audience, load, ...(nav && { nav }) };
}

function small(name: keyof typeof import("../screens/small-screens.ts")): Screen["load"] {
  return async () => ({ default: (await import("../screens/small-screens.ts"))[name] });
}

export const screens: readonly Screen[] = [
  screen("", "user", () => import("../screens/overview/overview.tsx"), {
    words: "Overview",
    icon: "overview",
  }),
  screen("/codes", "user", () => import("../screens/codes/codes.tsx"), { words: "QR codes", icon: "code" }),
  screen("/codes/new", "user", () => import("../screens/new-code/new-code.tsx")),
  screen("/codes/:id", "user", () => import("../screens/code/code.tsx")),
  screen("/codes/:id/print", "user", () => import("../screens/code/print.tsx")),
  screen("/codes/:id/analytics", "user", () => import("../screens/analytics/code-analytics.tsx")),
  screen("/analytics", "user", () => import("../screens/analytics/account-analytics.tsx"), {
    words: "Analytics",
    icon: "trend",
  }),
  screen("/projects", "user", small("projects"), {
    words: "Projects",
    icon: "project",
  }),
  screen("/keys", "owner", small("keys"), { words: "API keys", icon: "key" }),
  screen("/people", "owner", small("people"), {
    words: "People",
    icon: "people",
  }),
  screen("/account", "user", small("account"), {
    words: "Account",
    icon: "account",
  }),
  screen("/operator", "operator", small("operatedAccounts"), {
    words: "Accounts",
    icon: "operator",
  }),
  screen("/operator/accounts/:id", "operator", small("operatedAccount")),
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
