/**
 * One member among others: what it says to them over the bus.
 *
 * Who owns is said by the lease; the bus connects everybody with the owner. This process is at any time either the owner,
 * under whose right the others serve, or follows it. Both sides are told of every talk, and each does what is its
 * part: nothing has to be carried from one role into the other. What it serves links from is the same in both, and
 * read again with each change. What it answers them is in `answers.ts`, where a request of an account is answered in
 * `asking.ts`, and how it is here in `deciding.ts`.
 */
import type { Usage } from "../../account/account-actor.ts";
import { Bus, type BusNetwork } from "../../cluster/bus/bus.ts";
import type { Changed, Questions } from "../../cluster/bus/messages.ts";
import { type Talk, Unanswered } from "../../cluster/bus/talk.ts";
import { Followers, type FollowersOptions } from "../../cluster/followers.ts";
import { Following, type FollowingOptions } from "../../cluster/following.ts";
import type { Heirs } from "../../cluster/hand-over.ts";
import type { Lease, LeaseDoc, LeaseOptions } from "../../cluster/lease.ts";
import { Reach } from "../../cluster/reach.ts";
import { RightToServe, type Watches } from "../../cluster/right-to-serve.ts";
import { Deputyship } from "../../cluster/sharing/deputyship.ts";
import { allPartitions, type Gates } from "../../cluster/sharing/gates.ts";
import { Keeper } from "../../cluster/sharing/keeper.ts";
import type { Forward } from "../../door/forwarding.ts";
import { ackMsMax, drainMsMax, successionMsMax, successorsAskedMax } from "../../limits.ts";
import { type Clock, nextSecond } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import type { AskOwner } from "../../scan/limited-elsewhere.ts";
import type { Deputies } from "../../store/deputies.ts";
import { StoreUnavailable } from "../../store/store.ts";
import { type AnswerParts, answersTo } from "./answers.ts";
import { Asking } from "./asking.ts";
import { BeyondAccounts } from "./beyond-accounts.ts";
import { Deciding, type DecidingParts } from "./deciding.ts";
import { KnownMembers } from "./known-members.ts";
import { RateLegacy } from "./rate-legacy.ts";
import { type Copies, ServedCopies } from "./served-copies.ts";

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
  /** Of the partitions that are decided here. */
  gates: Gates;
  /** It became a deputy, or is none any more. */
  deputyChanged(): void;
  /** The simulation puts faulty parts in. */
  make?: Partial<ClusterMakers>;
}

export interface ClusterMakers {
  followers(options: FollowersOptions): Followers;
  following(options: FollowingOptions): Following;
  /** Resolves when the second is over. */
  nextSecond(clock: Clock): Promise<void>;
}

const ordinaryMakers: ClusterMakers = {
  followers: (options) => new Followers(options),
  following: (options) => new Following(options),
  nextSecond,
};

export class Cluster implements Heirs {
  /** For the lease. */
  readonly leaseOptions: Required<Pick<LeaseOptions, "bus" | "promisedSince" | "looked" | "reached">>;
  readonly known: KnownMembers;
  readonly beyond: BeyondAccounts;
  readonly rates: RateLegacy;
  readonly #nextSecond: () => Promise<void>;
  readonly #options: ClusterOptions;
  readonly #followers: Followers;
  readonly #following: Following;
  readonly #followerRight: RightToServe;
  readonly #bus: Bus;
  /** The name of the process that holds the lease, as far as is known here. */
  #holder: string | null = null;
  /** The epoch under which no earlier owner can write any more. */
  #fenced: number | null = null;
  readonly #deciding: Deciding;
  /** Of this process while it holds the lease and decides. */
  #keeper: Keeper | null = null;
  /** Of this process under another one that keeps. */
  readonly #deputyship: Deputyship;
  readonly #asking: Asking;
  /** Who is to own after this process. */
  #next: string | null = null;
  /** The epoch under whose right this process serves as owner. */
  #served: number | null = null;
  readonly #copies: ServedCopies;
  /** One for all that wait for it. */
  #rightComes: Promise<void> | null = null;
  readonly #reach: Reach;
  /** Whether the owner that is followed reaches the database, as it said last. */
  #ownerReaches = false;

  constructor(options: ClusterOptions) {
    const { network, name, secret, clock, random, log, right, watches, lease, address } = options;
    const make = { ...ordinaryMakers, ...options.make };
    this.#options = options;
    const isFenced = () => this.#fenced !== null && lease().epoch() === this.#fenced;
    this.#nextSecond = () => make.nextSecond(clock);
    this.rates = new RateLegacy(lease, this.#nextSecond);
    this.#copies = new ServedCopies(clock);
    this.#reach = new Reach(watches.steady);
    this.#followers = make.followers({
      ...{ right, clock, isFenced },
      left: () => lease().mayBeWatched(),
    });
    this.#deciding = new Deciding(options.gates, clock);
    this.#deputyship = new Deputyship(() => this.#deputyChanged());
    this.#asking = new Asking({
      ...{ deciding: this.#deciding, gates: options.gates, clock, steady: watches.steady },
      keeper: () => this.#keeper,
      owner: () => this.#ownerTalk,
    });
    this.beyond = new BeyondAccounts({
      ...{ deciding: this.#deciding, deputyship: this.#deputyship, keeper: () => this.#keeper },
    });
    this.#followerRight = new RightToServe(watches);
    this.#following = make.following({
      right: this.#followerRight,
      dropCopies: () => this.#copies.dropAll(),
      reaches: () => !this.#reach.isLost,
      answered: (talk, asked, { unsavedMs, epoch, reaches }) => {
        this.#ownerReaches = reaches;
        this.#followers.heard(talk, asked);
        this.#deputyship.heard(talk, epoch);
        this.known.allSavedUntil(asked.wall - unsavedMs);
      },
    });
    this.known = new KnownMembers({
      ...{ name, address, clock, right, gates: options.gates, copies: this.#copies },
      followerRight: this.#followerRight,
      followers: this.#followers,
      bus: () => this.#bus,
      isOwner: () => lease().state() === "owner",
      keeps: () => this.#keeper !== null,
    });
    const answerParts: AnswerParts = {
      ...{ lease, isFenced, copies: this.#copies, known: this.known },
      ...{ followers: this.#followers, following: this.#following, deputyship: this.#deputyship },
      ...{ deciding: this.#deciding, asking: this.#asking, keeper: () => this.#keeper },
      beyond: this.beyond,
      rates: this.rates,
      reach: this.#reach,
      passesTo: (next) => this.#passesTo(next),
    };
    this.leaseOptions = {
      bus: address,
      promisedSince: (now) => this.#followers.promisedSince(now),
      looked: (held) => this.#looked(held),
      reached: (asked) => this.#reach.answered(asked),
    };
    this.#bus = new Bus({
      ...{ network, name, secret, clock, random, log },
      listener: {
        answerers: (talk) => answersTo(talk, answerParts),
        beat: (talk) => this.#beat(talk),
        opened: (talk) => {
          this.#followers.opened(talk);
          this.#follow();
        },
        closed: (talk) => {
          this.#followers.closed(talk);
          this.#following.closed(talk);
          this.#keeper?.closed(talk);
          this.#deputyship.closed(talk);
        },
      },
    });
  }

  /* ── As owner ─────────────────────────────────────────────────────────────────────────────────────────── */

  /** No earlier owner can write any more: others may serve what is stored. */
  fenced(epoch: number): void {
    this.#deputyship.end();
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
    this.#copies.dropAll();
    this.#served = epoch;
  }

  /** From now on this process decides. Whoever holds the lease has `deputies`, and decides for all accounts at first. */
  answerWith(owner: DecidingParts, deputies: Deputies | null): void {
    const { clock } = this.#options;
    const { epoch } = owner;
    this.#deciding.parts = owner;
    this.#deputyship.opened(epoch);
    if (deputies === null) return;
    owner.take(allPartitions, []);
    this.#asking.holdings.endPassing();
    const dropAll = async () => {
      this.#copies.dropAll();
      await this.#followers.tell({ slugs: [], limited: [], projects: [], accounts: [], all: true });
    };
    this.#keeper = new Keeper({
      ...{ epoch, clock, own: owner, deputies, followers: this.#followers, reach: this.#reach, dropAll },
      nextSecond: this.#nextSecond,
    });
    this.#keeper.start();
  }

  /** This process decides for nobody any more. */
  answerNobody(): void {
    this.#options.gates.shutAll();
    this.#keeper?.stop();
    this.#keeper = null;
    this.#deciding.parts = null;
  }

  /** Takes nothing from others any more. Resolves when all that was taken is answered, or is given up. */
  async refuse(): Promise<void> {
    const { lease, gates } = this.#options;
    const keeper = this.#keeper;
    if (keeper !== null && lease().state() === "owner") {
      await this.#followers.let("hold", { next: this.#next });
      this.rates.gotBack(await keeper.recall());
    }
    keeper?.stop();
    this.#keeper = null;
    gates.closeAll();
    await this.#deciding.untilAnswered();
    this.answerNobody();
  }

  /** Rejects when this process owns no more: then nobody may be told that the change was made. */
  readonly tell = async (changed: Changed): Promise<void> => {
    if (this.#options.lease().state() === "owner") return this.#followers.tell(changed);
    try {
      const keeper = this.#deputyship.talk;
      if (keeper === null) throw new Unanswered("This process owns nothing.", true);
      await keeper.ask("tell", changed);
    } catch (cause) {
      throw new StoreUnavailable("Other members could not be told.", { cause });
    }
  };

  /** Nobody serves under this owner any more when it resolves. */
  dismiss(): Promise<void> {
    return this.#followers.dismiss();
  }

  async successor(): Promise<string | null> {
    for (const talk of this.#followers.reachable().slice(0, successorsAskedMax)) {
      // Should it do so later, that is in vain.
      if (!(await this.#isAnswered(talk, "succeed", successionMsMax, {}))) continue;
      this.#next = talk.peer;
      return talk.peer;
    }
    return null;
  }

  async bequeath(next: string): Promise<void> {
    const talk = this.#bus.with(next);
    const { toTell } = this.rates;
    if (talk !== null && toTell !== null) await this.#isAnswered(talk, "inherit", ackMsMax, toTell);
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
    return this.#ownerTalk !== null || this.#asking.holdings.isPassing;
  }

  /** Whether this process cannot reach the database, and the owner can. */
  isCutOff(): boolean {
    return this.#reach.isLost && this.#ownerTalk !== null && this.#ownerReaches;
  }

  /** The number under which it owns what another one gave it; null when it is nobody's deputy. */
  deputyEpoch(): number | null {
    return this.#deputyship.epoch;
  }

  /** Gives back what it owns under another. */
  async resign(): Promise<void> {
    const { talk } = this.#deputyship;
    if (talk !== null) await this.#isAnswered(talk, "resign", drainMsMax / 2, {});
  }

  #deputyChanged(): void {
    const { gates, lease, deputyChanged } = this.#options;
    if (this.#deputyship.epoch === null && lease().epoch() === null) gates.shutAll();
    deputyChanged();
  }

  mayServe(): boolean {
    const { right, lease } = this.#options;
    if (this.#served !== null && this.#served === lease().epoch()) return right.isHeld();
    return this.#followerRight.isHeld();
  }

  /**
   * While the accounts are on their way, nobody renews rights: resolves when this process may serve again, or it did not
   * come to that in time. Null when they are where they were.
   */
  readonly untilRight = (): Promise<void> | null => {
    const { holdings } = this.#asking;
    if (!holdings.isAwaited) return null;
    this.#rightComes ??= holdings
      .untilCome(() => this.mayServe())
      .finally(() => {
        this.#rightComes = null;
      });
    return this.#rightComes;
  };

  /** These are to be dropped when an owner says so; null when there are none any more. */
  keepFresh(copies: Copies | null): void {
    this.#copies.now = copies;
  }

  get #ownerTalk(): Talk | null {
    return this.#following.talk;
  }

  readonly call: Forward = (...asked) => this.#asking.call(...asked);
  readonly limited: AskOwner = (...asked) => this.#asking.limited(...asked);

  /** Of an account that is not decided here. */
  usage(account: string): Promise<Usage> {
    return this.#asking.usage(account);
  }

  async farewell(): Promise<void> {
    const talk = this.#ownerTalk;
    if (talk !== null) await this.#isAnswered(talk, "left", ackMsMax, {});
  }

  /* ── Both ─────────────────────────────────────────────────────────────────────────────────────────────── */

  close(): void {
    this.#bus.close();
  }

  #isAnswered<K extends "succeed" | "left" | "resign" | "inherit">(
    talk: Talk,
    kind: K,
    withinMs: number,
    asked: Questions[K]["asked"],
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(withinMs, () => resolve(false));
      const told = talk.ask(kind, asked).then(
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
    if (this.#asking.holdings.isPassing) this.#asking.holdings.beginPassing();
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

  /** The owner gives the accounts away, or has done so: it can be seen in the lease before it is told. */
  #passesTo(next: string | null): void {
    const { lease, name } = this.#options;
    this.#asking.holdings.beginPassing();
    this.#asking.holdings.beginAll();
    if (next === null) return;
    this.#following.handedOver();
    lease().handedOver(next === name);
  }
}
