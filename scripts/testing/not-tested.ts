/**
 * What a run of the tests left out, and why. A skip that nobody sees looks like a success, so every skipped test is
 * counted under its reason, by the runner and not by the tests, and the last lines of the run say it.
 */

export interface ReportedTest {
  name: string;
  file?: string | undefined;
  skip?: string | boolean | undefined;
}

export interface NotTested {
  saw(test: ReportedTest): void;
  /** Tests that were left out without saying why. */
  withoutReason(): string[];
  /** Nothing when everything was tested. */
  lines(): string[];
}

export function collectNotTested(root: string): NotTested {
  /** Reason, then file, to its tests. A test that is left out on each of two engines is one test. */
  const reasons = new Map<string, Map<string, Set<string>>>();
  const silent: string[] = [];
  return {
    saw({ name, file, skip }) {
      if (skip === undefined || skip === false) return;
      const place = file?.replace(root, "") ?? "an unknown file";
      if (skip === true || skip === "") {
        silent.push(`${place}: ${name}`);
        return;
      }
      const files = reasons.get(skip) ?? new Map<string, Set<string>>();
      reasons.set(skip, files.set(place, (files.get(place) ?? new Set()).add(name)));
    },
    withoutReason: () => silent,
    lines: () =>
      [...reasons].flatMap(([reason, files]) => {
        const tests = [...files.values()].reduce((sum, names) => sum + names.size, 0);
        return [
          `NOT TESTED: ${counted(tests, "test")} in ${counted(files.size, "file")}: ${reason}`,
          ...[...files]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([file, names]) => `  ${file} (${names.size})`),
        ];
      }),
  };
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
