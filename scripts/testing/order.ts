/**
 * In which order test files run, and beside which others.
 *
 * Those that take minutes come first. One that begins last would run alone at the end, on one
 * core, while everything else has ended. A file that is missing here costs time and nothing else.
 */
export const longFiles: readonly string[] = [
  "render/readers.test.ts",
  "render/readers-distorted.test.ts",
  "simulation/members/cluster.test.ts",
  "simulation/members/members.test.ts",
  "simulation/members/restarts.test.ts",
  "dashboard/screens.test.ts",
  "simulation/simulation.test.ts",
  "dashboard/screens/new-code/content-forms.test.ts",
  "schema/schema-fuzz.test.ts",
  "cli/admin-cli.test.ts",
  "cli/help.test.ts",
  "project/test-runs.test.ts",
  "hostile/idle-connections.test.ts",
];

/** `files` are seen from the folder of the tests. */
export function longFirst(files: readonly string[]): string[] {
  const rest = files.filter((file) => !longFiles.includes(file)).sort();
  return [...longFiles.filter((file) => files.includes(file)), ...rest];
}

/**
 * Files on a database server have servers and processes of their own, up to three of each, that leave one another alone
 * for only so many seconds. They run one after the other, beside the rest, and are about the store and the members: on
 * one engine.
 */
export function hasServers(file: string): boolean {
  return /(?:^|\/)mongo[-/]/.test(file);
}
