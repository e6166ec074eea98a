/** The switch that instrumented code asks which mutant is on. One a process, loaded before all that asks it. */

/** None. */
export const original = 0;

let active = original;
let reached: Set<number> | null = null;

export function isActive(mutant: number): boolean {
  reached?.add(mutant);
  return mutant === active;
}

export function activate(mutant: number): void {
  active = mutant;
}

export async function reachedDuring(run: () => Promise<void>): Promise<number[]> {
  const during = new Set<number>();
  reached = during;
  try {
    await run();
  } finally {
    reached = null;
  }
  return [...during];
}
