/** What keeps people out of a page: something out of sight, or what axe-core finds. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wide = { width: 1280, height: 800 };
const narrow = { width: 360, height: 740 };

/** In which every screen is looked at. */
export const lights: readonly [name: string, options: BrowserContextOptions][] = [
  ["light and wide", { colorScheme: "light", viewport: wide }],
  ["light and narrow", { colorScheme: "light", viewport: narrow }],
  ["dark and wide", { colorScheme: "dark", viewport: wide }],
  ["dark and narrow", { colorScheme: "dark", viewport: narrow }],
];

export async function nothingSticksOut(page: Page, at: string): Promise<void> {
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  assert.ok(over <= 0, `${at} is ${over} px too wide`);
  const cutOff = await page.evaluate<string[]>(`
    [...document.querySelectorAll(".card :is(a, button, input, select)")]
      .filter((each) => !each.closest(".segments, .table-scroll"))
      .filter((each) => each.getBoundingClientRect().right > each.closest(".card").getBoundingClientRect().right)
      .map((each) => each.ariaLabel ?? each.textContent)`);
  assert.deepEqual(cutOff, [], `${at} has what its card cuts off`);
}

/** A script of the test, let in past the policy by the browser's debugger and not by the page. */
export async function noBarriers(page: Page, at: string): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`,
  );
  assert.deepEqual(told, [], at);
}
