/** `/admin/v1/cluster`: who works on the database, for the operator. */
import type { Call } from "../../door/route.ts";
import { type Reply, success } from "../../http/reply.ts";
import { answerExamples } from "../../openapi/examples.ts";
import { jsonAnswer } from "../../openapi/operation.ts";
import type { ClusterFields } from "../../schema/responses.ts";
import { get, type Operation } from "../operation.ts";

export interface ClusterParts {
  cluster: { status(): Promise<ClusterFields> };
}

async function getCluster({ exchange }: Call, { cluster }: ClusterParts): Promise<Reply> {
  return success(exchange.requestId, await cluster.status());
}

export const clusterOperations: readonly Operation<ClusterParts>[] = [
  {
    id: "getCluster",
    ...get("/admin/v1/cluster"),
    tag: "Cluster",
    summary: "Members that work on the database",
    description:
      "May be asked of any member; the one that holds the lease answers, and is the first in the list. Without `CLUSTER=on` it is the only one: processes that stand by for it are not known to it, and say so at `/readyz`.",
    access: "admin",
    handler: getCluster,
    answers: [jsonAnswer(200, "All that the owner knows of.", "ClusterAnswer", answerExamples.cluster)],
  },
];
