/**
 * One member among others: what it asks of them over the bus, and what it answers.
 *
 * Who owns is said by the lease; the bus connects everybody with the owner. This process is at any time either the owner,
 * under whose right the others serve, or follows it. Both sides are told of every talk, and each does what is its
 * part: nothing has to be carried from one role into the other. What it serves links from is the same in both, and
 * read again with each change.
 */
import { Bus, type BusNetwork } from "../../cluster/bus/bus.ts";
import {
  type Answerers,
  type Changed,
  type MemberStatus,
  nothing,
  type OnUnwanted,
  type Questions,
} from "../../cluster/bus/messages.ts";
import { Refused, type Talk, Unanswered } from "../../cluster/bus/talk.ts";
import { Followers, type FollowersOptions } from "../../cluster/followers.ts";
import { Following, type FollowingOptions } from "../../cluster/following.ts";
import type { Heirs } from "../../cluster/hand-over.ts";
import { Holding } from "../../cluster/holding.ts";
import type { Lease, LeaseDoc, LeaseOptions } from "../../cluster/lease.ts";
import { RightToServe, type Watches } from "../../cluster/right-to-serve.ts";
import { type Forward, noOwner, ownerSilent } from "../../door/forwarding.ts";
import type { InnerApp, InnerRequest } from "../../engine/inner-app.ts";
import {
  ackMsMax,
  drainMsMax,
  evictionWaitMs,
  partitionsMax,
  successionMsMax,
  successorsAskedMax,
  unknownSavedMs,
} from "../../limits.ts";
import type { ClusterSources } from "../../metrics/cluster-metrics.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import type { LimitedScan } from "../../scan/limited-elsewhere.ts";
import { countForOthers } from "../../scan/limited-for-others.ts";
import type { Scans } from "../../scan/scans.ts";
import { Cancelled } from "../../store/store.ts";

export interface ClusterOptions {
  network: BusNetwork;
  /** Where others reach this process. */
  address: string;
  /** Of this process, as in the lease. */
  name: string;
  secret: Uint8Array;
  clock: Clock;
  watches: Watches;
  random: Random;
  log: { info(detail: object, message: string): void };
  /** Of the owner. */
  right: RightToServe;
  lease(): Lease;
  /** The simulation puts faulty parts in. */
  make?: Partial<ClusterMakers>;
}

export interface ClusterMakers {
  followers(options: FollowersOptions): Followers;
  following(options: FollowingOptions): Following;
}

const ordinaryMakers: ClusterMakers = {
  followers: (options) => new Followers(options),
  following: (options) => new Following(options),
};

/** What an owner answers others with. */
export interface OwnerParts {
  inner: Pick<InnerApp, "ask">;
  scans: Scans;
}

/** What links are served from. */
type Copies = Pick<Scans, "links" | "checkpoint" | "hasUnsaved" | "savedAt" | "epoch">;

export interface SeenMember extends Omit<MemberStatus, "state" | "address"> {
  /** Of the process, as logs have it; null where it needs none. */
  name: string | null;
  /** Null of one that does not say. */
  address: string | null;
  state: MemberStatus["state"] | "silent";
}

export class Cluster implements Heirs {
  /** For the lease. */
  readonly leaseOptions: Required<Pick<LeaseOptions, "bus" | "promisedSince" | "looked">>;
  readonly #options: ClusterOptions;
  readonly #followers: Followers;
  readonly #following: Following;
  readonly #followerRight: RightToServe;
  readonly #bus: Bus;
  /** The name of the process that holds the lease, as far as is known here. */
  #holder: string | null = null;
  /** The epoch under which no earlier owner can write any more. */
  #fenced: number | null = null;
  #owner: OwnerParts | null = null;
  /** What others asked and is not answered yet, and who waits for that. */
  #answering = 0;
  #answeredAll: (() => void)[] = [];
  readonly #holding: Holding;
  /** With an owner that takes nothing any more. */
  #leaving: Talk | null = null;
  /** Who is to own after this process. */
  #next: string | null = null;
  /** When a question of the owner was last answered, by the steady clock. */
  readonly #answeredAt = new WeakMap<Talk, number>();
  /** The epoch under whose right this process serves as owner. */
  #served: number | null = null;
  /** Of this process, from its first scan to its last. */
  #copies: Copies | null = null;

  constructor(options: ClusterOptions) {
    const { network, name, secret, clock, random, log, right, watches, lease, address } = options;
    const make = { ...ordinaryMakers, ...options.make };
    this.#options = options;
    this.#followers = make.followers({
      right,
      clock,
      isFenced: () => this.#fenced !== null && lease().epoch() === this.#fenced,
      left: () => lease().mayBeWatched(),
    });
    this.#holding = new Holding(clock);
    this.#followerRight = new RightToServe(watches);
    this.#following = make.following({
      right: this.#followerRight,
      dropCopies: () => this.#copies?.links.forgetAll(),
    });
    this.leaseOptions = {
      bus: address,
      promisedSince: (now) => this.#followers.promisedSince(now),
      looked: (held) => this.#looked(held),
    };
    this.#bus = new Bus({
      ...{ network, name, secret, clock, random, log },
      listener: {
        answerers: (talk) => this.#answerers(talk),
        beat: (talk) => this.#beat(talk),
        opened: (talk) => {
          this.#followers.opened(talk);
          this.#follow();
        },
        closed: (talk) => {
          this.#followers.closed(talk);
          this.#following.closed(talk);
        },
      },
    });
  }

  /* ── As owner ─────────────────────────────────────────────────────────────────────────────────────────── */

  /** No earlier owner can write any more: others may serve what is stored. */
  fenced(epoch: number): void {
    if (this.#fenced !== epoch) {
      const { lease, name } = this.#options;
      this.#followers.inherit(
        lease()
          .inherited()
          .filter((other) => other !== name),
      );
    }
    this.#fenced = epoch;
    this.#followers.restart();
    this.#looked(null);
  }

  /** Nobody else can serve any more: this process does, by the right of its lease, and has nothing from before. */
  serve(epoch: number): void {
    this.#copies?.links.forgetAll();
    this.#served = epoch;
  }

  /** From now on this process answers others, and itself what it would have asked of an owner; with null, no more. */
  answerWith(owner: OwnerParts | null): void {
    this.#owner = owner;
  }

  /** Takes nothing from others any more. Resolves when all that was taken is answered, or is given up. */
  async refuse(): Promise<void> {
    const { lease, clock } = this.#options;
    if (lease().state() === "owner") await this.#followers.let("hold", { next: this.#next });
    this.#owner = null;
    if (this.#answering === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(drainMsMax / 2, resolve);
      this.#answeredAll.push(() => {
        cancel();
        resolve();
      });
    });
  }

  readonly tell = (changed: Changed): Promise<void> => this.#followers.tell(changed);

  /** Nobody serves under this owner any more when it resolves. */
  dismiss(): Promise<void> {
    return this.#followers.dismiss();
  }

  async successor(): Promise<string | null> {
    for (const talk of this.#followers.reachable().slice(0, successorsAskedMax)) {
      // Should it do so later, that is in vain.
      if (!(await this.#isAnswered(talk, "succeed", successionMsMax))) continue;
      this.#next = talk.peer;
      return talk.peer;
    }
    return null;
  }

  letGo(): readonly string[] {
    return this.#followers.letGo();
  }

  handedOver(next: string): Promise<void> {
    return this.#followers.let("ended", { next });
  }

  /* ── As follower ──────────────────────────────────────────────────────────────────────────────────────── */

  /** Also while there is one to be. */
  isKnown(): boolean {
    return this.#ownerTalk !== null || this.#holding.isOn;
  }

  mayServe(): boolean {
    const { right, lease } = this.#options;
    if (this.#served !== null && this.#served === lease().epoch()) return right.isHeld();
    return this.#followerRight.isHeld();
  }

  /** These are to be dropped when an owner says so; null when there are none any more. */
  keepFresh(copies: Copies | null): void {
    this.#copies = copies;
  }

  /** The one question that partitions will change: with whom to speak of an account. */
  get #ownerTalk(): Talk | null {
    return this.#following.talk;
  }

  readonly call: Forward = async (request, body, unwanted) => {
    let talk: Talk | null = null;
    try {
      const { said, bytes } = await this.#holding.pass(async () => {
        if (unwanted.aborted) throw new Cancelled("The client has gone.");
        // Since it was taken this process may have come to own.
        if (this.#owner !== null) return this.#answerCall(request, body, onAbort(unwanted));
        talk = this.#ownerTalk;
        return this.#askOwner("call", request, body, unwanted);
      });
      return { ...said, body: bytes };
    } catch (cause) {
      if (!(cause instanceof Unanswered)) throw cause;
      if (cause.isUndone) throw noOwner();
      if (unwanted.aborted) throw new Cancelled("The client has gone.");
      if (talk !== null) await this.#untilOwnerGaveUp(talk);
      throw ownerSilent();
    }
  };

  /** It acts for this process no longer than some time from the last question of its own that was answered here. */
  async #untilOwnerGaveUp(talk: Talk): Promise<void> {
    const answeredAt = this.#answeredAt.get(talk);
    if (answeredAt === undefined) return;
    const ms = evictionWaitMs - (this.#followerRight.now().steady - answeredAt);
    if (ms > 0) await new Promise<void>((resolve) => this.#options.clock.after(ms, resolve));
  }

  /** What was refused for certain may be asked of the next owner; anything else never again. */
  readonly limited = async (scans: readonly LimitedScan[]): Promise<readonly number[]> => {
    const { said } = await this.#holding.pass(async () =>
      this.#owner === null ? this.#askOwner("limited", { scans }) : this.#answerLimited(scans),
    );
    return said.verdicts;
  };

  /** An owner that is there and refuses does not answer yet: what is asked is held. */
  async #askOwner<K extends "call" | "limited">(
    kind: K,
    asked: Questions[K]["asked"],
    bytes?: Uint8Array,
    unwanted?: AbortSignal,
  ) {
    const talk = this.#ownerTalk;
    if (talk === null || talk === this.#leaving) throw new Unanswered("No owner is known.", true);
    try {
      return await talk.ask(kind, asked, bytes, unwanted);
    } catch (cause) {
      if (cause instanceof Unanswered && cause.isUndone && talk.isOpen) this.#holding.begin();
      throw cause;
    }
  }

  async farewell(): Promise<void> {
    const talk = this.#ownerTalk;
    if (talk !== null) await this.#isAnswered(talk, "left", ackMsMax);
  }

  /* ── What is told of it ──────────────────────────────────────────────────────────────────────────────────────────── */

  readonly figures: ClusterSources = {
    members: () => 1 + this.#bus.size,
    // One owns all, or none.
    partitions: () => (this.#owner === null ? 0 : partitionsMax),
    rightLeftMs: () => Math.max(this.#options.right.leftMs(), this.#followerRight.leftMs()),
    rightsLost: () => this.#options.right.losses + this.#followerRight.losses,
  };

  /** This one first, then those that it speaks with. Who does not answer soon is silent. */
  async members(): Promise<SeenMember[]> {
    const others = [...this.#bus.talks].map((talk) => this.#seen(talk));
    return [{ name: this.#options.name, ...this.#status() }, ...(await Promise.all(others))];
  }

  /**
   * All that any member counted before is saved: of followers, by what they say; of members that are not known here (yet),
   * since they save about once a second.
   */
  completeUntil(savedAt: number): number {
    const { wall } = this.#options.right.now();
    return Math.min(savedAt, this.#followers.savedUntil, wall - unknownSavedMs);
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

  #status(): MemberStatus {
    const isOwner = this.#owner !== null;
    const right = isOwner ? this.#options.right : this.#followerRight;
    const confirmedMsAgo = right.confirmedMsAgo();
    return {
      epoch: this.#copies?.epoch ?? null,
      address: this.#options.address,
      state: isOwner ? "owner" : this.#copies === null ? "joining" : "follower",
      mayServe: right.isHeld(),
      confirmedMsAgo: confirmedMsAgo === null ? null : Math.round(confirmedMsAgo),
      partitions: this.figures.partitions(),
    };
  }

  #unsavedMs(): number {
    return this.#copies === null ? 0 : Math.max(0, this.#options.clock.now() - this.#copies.savedAt);
  }

  /* ── Both ─────────────────────────────────────────────────────────────────────────────────────────────── */

  close(): void {
    this.#bus.close();
  }

  #isAnswered(talk: Talk, kind: "succeed" | "left", withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(withinMs, () => resolve(false));
      const told = talk.ask(kind, {}).then(
        () => true,
        () => false,
      );
      void told.then(resolve).finally(cancel);
    });
  }

  #looked(held: LeaseDoc | null): void {
    const { name } = this.#options;
    const other = held === null || held.holder === name || held.bus === null ? null : held;
    this.#holder = other?.holder ?? null;
    this.#bus.seek(other?.bus ? [other.bus] : []);
    this.#follow();
  }

  /** The talk with the owner is followed, and no other. */
  #follow(): void {
    const wanted = this.#holder === null ? null : this.#bus.with(this.#holder);
    const present = this.#following.talk;
    if (wanted === present) return;
    if (present !== null) this.#following.closed(present);
    if (wanted === null) return;
    this.#following.opened(wanted);
    // It owns, and may not answer yet.
    if (this.#holding.isOn) this.#holding.begin();
  }

  #beat(talk: Talk): void {
    if (talk === this.#following.talk) {
      this.#following.ask(talk);
      return;
    }
    const asked = this.#options.right.now();
    talk.ask("promise", {}).then(
      ({ said }) => this.#followers.promised(talk, asked, said),
      () => {},
    );
  }

  #answerers(talk: Talk): Answerers {
    const { lease } = this.#options;
    const plainly = <T>(said: T) => ({ said, bytes: nothing });
    return {
      serve: ({ said: { term, hasEarlier } }) =>
        plainly({ ms: lease().state() === "owner" ? this.#followers.grant(talk, term, hasEarlier) : 0 }),
      promise: () => {
        this.#answeredAt.set(talk, this.#followerRight.now().steady);
        return plainly({ ms: lease().promise(), unsavedMs: this.#unsavedMs() });
      },
      call: async ({ said, bytes }, onUnwanted) => {
        if (!this.#followers.mayActFor(talk)) throw new Refused("nobody may wait for it any more");
        return this.#answerCall(said, bytes, onUnwanted);
      },
      limited: ({ said: { scans } }) => this.#answerLimited(scans),
      changed: async ({ said }) => {
        await this.#drop(said);
        return plainly({});
      },
      ended: ({ said: { next } }) => {
        if (next === null) this.#following.ended();
        else if (talk === this.#following.talk) this.#passesTo(next);
        return plainly({});
      },
      moved: () => plainly({}),
      status: () => plainly(this.#status()),
      succeed: () => {
        if (lease().state() !== "standby") throw new Refused("this process cannot own");
        return plainly({});
      },
      hold: ({ said: { next } }) => {
        this.#leaving = talk;
        if (talk === this.#following.talk) this.#passesTo(next);
        return plainly({});
      },
      left: () => {
        this.#followers.left(talk);
        return plainly({});
      },
    };
  }

  async #answerCall(request: InnerRequest, body: Uint8Array, onUnwanted: OnUnwanted) {
    const answer = await this.#answered(({ inner }) => inner.ask(request, body, onUnwanted));
    if (answer === null) throw new Unanswered("The request was given up.", false);
    const { body: bytes, ...said } = answer;
    return { said, bytes };
  }

  async #answerLimited(scans: readonly LimitedScan[]) {
    const verdicts = await this.#answered((owner) => countForOthers(owner.scans, scans));
    return { said: { verdicts }, bytes: nothing };
  }

  async #answered<T>(answer: (owner: OwnerParts) => Promise<T>): Promise<T> {
    if (this.#owner === null) throw new Refused("this process does not own the accounts");
    this.#answering++;
    try {
      return await answer(this.#owner);
    } finally {
      this.#answering--;
      if (this.#answering === 0) for (const resolve of this.#answeredAll.splice(0)) resolve();
    }
  }

  /** The owner gives the accounts away, or has done so: it can be seen in the lease before it is told. */
  #passesTo(next: string | null): void {
    const { lease, name } = this.#options;
    this.#holding.begin();
    if (next === null) return;
    this.#following.handedOver();
    lease().handedOver(next === name);
  }

  /** A link that has a limit now is decided by what all have saved: so what was counted here must be saved first. */
  async #drop({ slugs, limited, projects, accounts }: Changed): Promise<void> {
    const copies = this.#copies;
    if (copies === null) return;
    for (const slug of slugs) copies.links.forget(slug);
    for (const id of projects) copies.links.forgetProject(id);
    for (const [id, timezone] of accounts) copies.links.publishAccount({ id, timezone });
    if (limited.some((slug) => copies.hasUnsaved(slug))) await copies.checkpoint();
  }
}

function onAbort(signal: AbortSignal): OnUnwanted {
  return (run) => signal.addEventListener("abort", run, { once: true });
}
