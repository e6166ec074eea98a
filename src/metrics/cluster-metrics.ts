/**
 * What a member of a cluster tells of its part in it. It outlives the roles of the process, as the bus does: a follower
 * that comes to own goes on counting.
 */
import { counter, type Family, gauge } from "./exposition.ts";
import { Histogram, histogram, secondsBounds } from "./histogram.ts";

export interface ClusterSources {
  /** Those that this one speaks with, and itself. */
  members(): number;
  /** Of accounts that this one decides for. */
  partitions(): number;
  /** For how long this one may serve without having asked again. */
  rightLeftMs(): number;
  /** How often that was over. */
  rightsLost(): number;
}

/** What is handed to the member that decides. */
type Handed = "request" | "limited_scans";
type Outcome = "answered" | "unanswered";

interface HandedOn {
  seconds: Histogram;
  outcomes: Record<Outcome, number>;
}

const nothingYet = (): HandedOn => ({
  seconds: new Histogram(secondsBounds),
  outcomes: { answered: 0, unanswered: 0 },
});

export class ClusterMetrics {
  readonly families: readonly Family[];
  readonly #handedOn: Record<Handed, HandedOn> = { request: nothingYet(), limited_scans: nothingYet() };
  readonly #acknowledged = new Histogram(secondsBounds);

  constructor(sources: ClusterSources) {
    this.families = [...familiesOf(sources), ...this.#families()];
  }

  /** The same function, whose calls are counted. */
  watchForwarding<Given extends unknown[], Answer>(
    kind: Handed,
    forward: (...given: Given) => Promise<Answer>,
  ): (...given: Given) => Promise<Answer> {
    const { seconds, outcomes } = this.#handedOn[kind];
    return async (...given) => {
      const began = performance.now();
      try {
        const answer = await forward(...given);
        outcomes.answered++;
        seconds.observe((performance.now() - began) / 1000);
        return answer;
      } catch (cause) {
        outcomes.unanswered++;
        throw cause;
      }
    };
  }

  /** The same function, each call of which tells the others of a change, and is over when none serves a copy. */
  watchTelling<Told>(tell: (changed: Told) => Promise<void>): (changed: Told) => Promise<void> {
    return async (changed) => {
      const began = performance.now();
      await tell(changed);
      this.#acknowledged.observe((performance.now() - began) / 1000);
    };
  }

  #families(): Family[] {
    const kinds = Object.entries(this.#handedOn);
    return [
      {
        name: "qrelay_cluster_forwarded_total",
        help: "Requests, and batches of scans of limited links, that were handed to the member that decides on them.",
        type: "counter",
        samples: () =>
          kinds.flatMap(([kind, { outcomes }]) =>
            Object.entries(outcomes).map(([outcome, value]) => ({ labels: { kind, outcome }, value })),
          ),
      },
      {
        name: "qrelay_cluster_forwarded_seconds",
        help: "From handing it on until its answer was here.",
        type: "histogram",
        samples: () => kinds.flatMap(([kind, { seconds }]) => seconds.samples({ kind })),
      },
      histogram(
        "qrelay_cluster_acknowledgement_seconds",
        "From when a change was durable until no other member served a copy of what it changed.",
        this.#acknowledged,
      ),
    ];
  }
}

function familiesOf({ members, partitions, rightLeftMs, rightsLost }: ClusterSources): Family[] {
  return [
    gauge(
      "qrelay_cluster_members",
      "Members that this one is connected with, and itself; the owner is connected with all.",
      members,
    ),
    gauge(
      "qrelay_cluster_partitions_owned",
      "Partitions of accounts that this member decides for, of 256.",
      partitions,
    ),
    gauge(
      "qrelay_cluster_right_left_seconds",
      "For how long this member may answer from memory without having asked again.",
      () => rightLeftMs() / 1000,
    ),
    counter(
      "qrelay_cluster_rights_lost_total",
      "How often the right to serve was over; changes of role are among them.",
      rightsLost,
    ),
  ];
}
