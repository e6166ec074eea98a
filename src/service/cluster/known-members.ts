/** Who is there, as this member knows, what it says of itself, and up to when all of them have saved what they counted. */
import type { Bus } from "../../cluster/bus/bus.ts";
import type { MemberStatus } from "../../cluster/bus/messages.ts";
import type { Talk } from "../../cluster/bus/talk.ts";
import type { Followers } from "../../cluster/followers.ts";
import type { RightToServe } from "../../cluster/right-to-serve.ts";
import type { Gates } from "../../cluster/sharing/gates.ts";
import { ackMsMax, unknownSavedMs } from "../../limits.ts";
import type { ClusterSources } from "../../metrics/cluster-metrics.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { ServedCopies } from "./served-copies.ts";

export interface SeenMember extends Omit<MemberStatus, "state" | "address"> {
  /** Of the process, as logs have it; null where it needs none. */
  name: string | null;
  /** Null of one that does not say. */
  address: string | null;
  state: MemberStatus["state"] | "silent";
}

export interface KnownMembersOptions {
  name: string;
  address: string;
  clock: Clock;
  /** Of the owner, and of a follower. */
  right: RightToServe;
  followerRight: RightToServe;
  gates: Gates;
  copies: ServedCopies;
  followers: Pick<Followers, "savedUntil">;
  /** With all others. */
  bus(): Pick<Bus, "talks" | "size">;
  /** Whether this process holds the lease; and whether it decides by it. */
  isOwner(): boolean;
  keeps(): boolean;
}

export class KnownMembers {
  readonly #options: KnownMembersOptions;
  /** All that any member counted before is saved, as the keeper says, by the wall clock here. */
  #savedUntil = 0;

  constructor(options: KnownMembersOptions) {
    this.#options = options;
  }

  readonly figures: ClusterSources = {
    members: () => 1 + this.#options.bus().size,
    partitions: () => this.#options.gates.size,
    rightLeftMs: () => Math.max(this.#options.right.leftMs(), this.#options.followerRight.leftMs()),
    rightsLost: () => this.#options.right.losses + this.#options.followerRight.losses,
  };

  /** This one first, then those that it speaks with. Who does not answer soon is silent. */
  async members(): Promise<SeenMember[]> {
    const others = [...this.#options.bus().talks].map((talk) => this.#seen(talk));
    return [{ name: this.#options.name, ...this.own() }, ...(await Promise.all(others))];
  }

  async #seen(talk: Talk): Promise<SeenMember> {
    const silent: SeenMember = {
      ...{ name: talk.peer, epoch: null, address: null, state: "silent" },
      ...{ mayServe: false, confirmedMsAgo: null, partitions: 0 },
    };
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ackMsMax, () => resolve(silent));
      talk
        .ask("status", {})
        .then(
          ({ said }) => resolve({ name: talk.peer, ...said }),
          () => resolve(silent),
        )
        .finally(cancel);
    });
  }

  /** What this member says of itself. */
  own(): MemberStatus {
    const { address, copies, keeps } = this.#options;
    const isOwner = keeps();
    const right = isOwner ? this.#options.right : this.#options.followerRight;
    const confirmedMsAgo = right.confirmedMsAgo();
    return {
      epoch: copies.now?.epoch ?? null,
      address,
      state: isOwner ? "owner" : copies.now === null ? "joining" : "follower",
      mayServe: right.isHeld(),
      confirmedMsAgo: confirmedMsAgo === null ? null : Math.round(confirmedMsAgo),
      partitions: this.figures.partitions(),
    };
  }

  /**
   * All that any member counted before is saved: of followers, by what they say; of members that are not known here (yet),
   * since they save about once a second.
   */
  completeUntil(savedAt: number): number {
    if (!this.#options.isOwner()) return Math.min(savedAt, this.#savedUntil);
    const { wall } = this.#options.right.now();
    return Math.min(savedAt, this.#options.followers.savedUntil, wall - unknownSavedMs);
  }

  /** As the keeper says, by the wall clock here. */
  allSavedUntil(wall: number): void {
    this.#savedUntil = Math.max(this.#savedUntil, wall);
  }

  /** How long ago the oldest scan can be that any member counted and has not saved. */
  allUnsavedMs(): number {
    const { right, copies, isOwner } = this.#options;
    const { wall } = right.now();
    return isOwner() && copies.now !== null ? wall - this.completeUntil(copies.now.savedAt()) : wall;
  }
}
