/** What the operator is told of the processes that work on the database. */
import type { ClusterParts } from "../../api/admin/cluster.ts";
import { partitionsMax } from "../../limits.ts";
import type { Store } from "../../store/store.ts";
import type { KnownMembers, SeenMember } from "./known-members.ts";

/** `cluster` is null where this process speaks with no other: it owns all, and knows nothing of any that stand by. */
export function clusterStatus(
  { membership, parts }: Pick<Store, "membership" | "parts">,
  cluster: Pick<KnownMembers, "members"> | null,
): ClusterParts["cluster"] {
  const alone = (): SeenMember => ({
    name: null,
    epoch: membership?.epoch ?? null,
    address: null,
    state: "owner",
    mayServe: membership?.mayServe() ?? true,
    confirmedMsAgo: null,
    partitions: partitionsMax,
  });
  return {
    async status() {
      const members = cluster === null ? [alone()] : await cluster.members();
      const { toFold, awaited } = await parts.left(members.flatMap(({ epoch }) => epoch ?? []));
      return {
        enabled: cluster !== null,
        members: members.map((member) => ({
          member: member.epoch,
          state: member.state,
          address: member.address,
          may_serve: member.mayServe,
          confirmed_ms_ago: member.confirmedMsAgo,
          partitions: member.partitions,
          name: member.name,
        })),
        to_fold: toFold,
        awaited,
      };
    },
  };
}
