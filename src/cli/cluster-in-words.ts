import type { Json } from "./admin-client.ts";
import { table } from "./print.ts";

/** The members as a table, and below it what an operator may wonder about. */
export function clusterInWords({ enabled, members, to_fold, awaited }: Json): string {
  const lines = [table(members as Json[]), ""];
  if (enabled !== true) {
    lines.push(
      "CLUSTER is off: this process works alone. Others on its database stand by, and say so at /readyz.",
    );
  }
  lines.push(
    `Former members whose counts are stored and not yet folded: ${String(to_fold)}`,
    `Former members whose journals are waited for: ${String(awaited)}`,
  );
  return lines.join("\n");
}
