/**
 * Takes the place of `node:test` in the tests of a mutation run: tests are collected instead of run, so that one
 * process can run any of them as often as there are mutants.
 */
export interface CollectedTest {
  name: string;
  run(): Promise<void>;
}

type Body = () => unknown;

let collected: CollectedTest[] = [];

export async function testsOf(load: () => Promise<unknown>): Promise<CollectedTest[]> {
  const own: CollectedTest[] = [];
  collected = own;
  await load();
  return own;
}

export function test(name: string, body: Body): void {
  collected.push({
    name,
    async run() {
      await body();
    },
  });
}

export default test;
