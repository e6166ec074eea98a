/** What a mutation run and its workers say to each other. */

export interface SelectedTest {
  file: string;
  /** Its place in the file. */
  index: number;
  /** To be loaded under the mutant. */
  isFresh: boolean;
}

export interface TestReport {
  name: string;
  ms: number;
  reached: number[];
  failure: string | null;
}

export interface FileReport {
  file: string;
  /** Mutants asked about while the file was loaded: only loading it anew can show what they do. */
  reachedOnLoad: number[];
  failure: string | null;
  tests: TestReport[];
}

export type Order = { kind: "survey"; file: string } | { kind: "judge"; mutant: number; test: SelectedTest };

export type Report = { kind: "surveyed"; file: FileReport } | { kind: "judged"; isKilled: boolean };
