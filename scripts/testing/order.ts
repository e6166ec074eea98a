/**
 * In which order test files run: those that take minutes first. One that begins last would run alone at the end, on one
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
