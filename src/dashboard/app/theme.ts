/** Light or dark: as the system says, until somebody chooses. Paper is light. */
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const kept = "qrelay-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const paper = matchMedia("print");

export const theme = signal<Theme>(read());
export const isDark = signal(system.matches);

export function startTheme(): void {
  system.addEventListener("change", settle);
  paper.addEventListener("change", settle);
  effect(settle);
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  // A browser that keeps nothing for this site still shows what was chosen, until the page is left.
  try {
    localStorage.setItem(kept, chosen);
  } catch {}
}

function settle(): void {
  const isWanted = theme.value === "system" ? system.matches : theme.value === "dark";
  isDark.value = isWanted && !paper.matches;
  document.documentElement.dataset.theme = isDark.value ? "dark" : "light";
}

function read(): Theme {
  try {
    const found = localStorage.getItem(kept);
    return found === "light" || found === "dark" ? found : "system";
  } catch {
    return "system";
  }
}
