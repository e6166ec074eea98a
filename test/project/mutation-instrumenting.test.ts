import assert from "node:assert/strict";
import { test } from "node:test";
import { transformSync } from "esbuild";
import { instrument } from "../../scripts/mutate/instrument.ts";

const source = `
import type { Limits } from "./limits.ts";
export interface Box { size: number }
/** Whether it fits. */
export function fits(size: number, max: number | undefined, log: string[]): boolean {
  if (size < 0) throw new Error("a size below 0");
  log.push("asked");
  return max === undefined || size <= max;
}
export const dated = (box: object, at: number) => ({ ...box, at });
`;

const { text, mutants } = instrument("src/fits.ts", source, 1);

interface Fits {
  fits(size: number, max: number | undefined, log: string[]): boolean;
  dated(box: object, at: number): object;
}

/** The instrumented code with one mutant on. */
function under(active: number): Fits {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  const module = { exports: {} as Fits };
  new Function("module", "exports", "$", code)(module, module.exports, (id: number) => id === active);
  return module.exports;
}

/** The id of the mutant that makes this change. */
function idOf(was: string, becomes: string): number {
  const found = mutants.find((mutant) => mutant.was === was && mutant.becomes === becomes);
  assert.ok(found, `${was} → ${becomes}`);
  return found.id;
}

test("without a mutant the code does what it did", () => {
  const { fits, dated } = under(0);
  const log: string[] = [];
  assert.deepEqual([fits(1, 1, log), fits(2, 1, log), fits(9, undefined, log)], [true, false, true]);
  assert.equal(log.length, 3);
  assert.throws(() => fits(-1, 1, log), /below 0/);
  assert.deepEqual(dated({ at: 1 }, 2), { at: 2 });
});

test("each mutant changes what it says, at its line", () => {
  assert.equal(under(idOf("size <= max", "size < max")).fits(1, 1, []), false);
  assert.equal(under(idOf("size < 0", "false")).fits(-1, 1, []), true);
  assert.throws(() => under(idOf("size < 0", "size <= 0")).fits(0, 1, []));
  const log: string[] = [];
  under(idOf('log.push("asked");', "(nothing)")).fits(1, 1, log);
  assert.deepEqual(log, []);
  assert.deepEqual(under(idOf("at", "(nothing)")).dated({ at: 1 }, 2), { at: 1 });
  assert.equal(mutants.find(({ was }) => was === "size <= max")?.line, 8);
});

test("types, imports and words for people have no mutants", () => {
  for (const { was } of mutants)
    assert.doesNotMatch(was, /^(?:import|interface|"a size below 0"|".\/limits.ts")/);
});
