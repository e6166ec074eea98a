/**
 * One member among others: what it says to them over the bus, and what it answers.
 *
 * Who owns is said by the lease; the bus connects everybody with the owner. This process is at any time either the owner,
 * under whose right the others serve, or follows it. Both sides are told of every talk, and each does what is its
 * part: nothing has to be carried from one role into the other. What it serves links from is the same in both, and
 * read again with each change. Where a request of an account is answered is said in `asking.ts`, and how it is here in
 * `deciding.ts`.
 */
import type { Usage } from "../../account/account-actor.ts";
import { Bus, type BusNetwork } from "../../cluster/bus/bus.ts";
import { type Answerers, type Changed, type MemberStatus, nothing } from "../../cluster/bus/messages.ts";
import { Refused, type Talk, Unanswered } from "../../cluster/bus/talk.ts";
import { Followers, type FollowersOptions } from "../../cluster/followers.ts";
import { Following, type FollowingOptions } from "../../cluster/following.ts";
import type { Heirs } from "../../cluster/hand-over.ts";
import type { Lease, LeaseDoc, LeaseOptions } from "../../cluster/lease.ts";
import { RightToServe, type Watches } from "../../cluster/right-to-serve.ts";
import { Deputyship } from "../../cluster/sharing/deputyship.ts";
import { allPartitions, type Gates } from "../../cluster/sharing/gates.ts";
import { Keeper } from "../../cluster/sharing/keeper.ts";
import { partitionOf } from "../../cluster/sharing/partitions.ts";
import { type Forward, noOwner } from "../../door/forwarding.ts";
import { ackMsMax, drainMsMax, successionMsMax, successorsAskedMax, unknownSavedMs } from "../../limits.ts";
import type { ClusterSources } from "../../metrics/cluster-metrics.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import type { RescanResult } from "../../safety/rescan.ts";
import type { AskOwner } from "../../scan/limited-elsewhere.ts";
import type { Scans } from "../../scan/scans.ts";
import type { Deputies } from "../../store/deputies.ts";
import { StoreUnavailable } from "../../store/store.ts";
import { Asking } from "./asking.ts";
import { Deciding, type DecidingParts } from "./deciding.ts";

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
}

const ordinaryMakers: ClusterMakers = {
  followers: (options) => new Followers(options),
  following: (options) => new Following(options),
};

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
  readonly #deciding: Deciding;
  /** Of this process while it holds the lease and decides. */
  #keeper: Keeper | null = null;
  /** Of this process under another one that keeps. */
  readonly #deputyship: Deputyship;
  readonly #asking: Asking;
  /** All that any member counted before is saved, as the keeper says, by the wall clock here. */
  #savedUntil = 0;
  /** Who is to own after this process. */
  #next: string | null = null;
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
    this.#deciding = new Deciding(options.gates, clock);
    this.#deputyship = new Deputyship(() => this.#deputyChanged());
    this.#asking = new Asking({
      ...{ deciding: this.#deciding, gates: options.gates, clock, steady: watches.steady },
      keeper: () => this.#keeper,
      owner: () => this.#ownerTalk,
    });
    this.#followerRight = new RightToServe(watches);
    this.#following = make.following({
      right: this.#followerRight,
      dropCopies: () => this.#copies?.links.forgetAll(),
      answered: (talk, asked, { unsavedMs, epoch }) => {
        this.#followers.heard(talk, asked);
        this.#deputyship.heard(talk, epoch);
        this.#savedUntil = Math.max(this.#savedUntil, asked.wall - unsavedMs);
      },
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
    this.#copies?.links.forgetAll();
    this.#served = epoch;
  }

  /** From now on this process decides. Whoever holds the lease has `deputies`, and decides for all accounts at first. */
  answerWith(owner: DecidingParts, deputies: Deputies | null): void {
    const { clock, gates } = this.#options;
    const { epoch } = owner;
    this.#deciding.parts = owner;
    this.#deputyship.opened(epoch);
    if (deputies === null) return;
    gates.open(allPartitions);
    this.#asking.holdings.endPassing();
    const dropAll = async () => {
      this.#copies?.links.forgetAll();
      await this.#followers.tell({ slugs: [], limited: [], projects: [], accounts: [], all: true });
    };
    this.#keeper = new Keeper({ epoch, clock, own: owner, deputies, followers: this.#followers, dropAll });
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
      await keeper.recall();
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
    return this.#ownerTalk !== null || this.#asking.holdings.isPassing;
  }

  /** The number under which it owns what another one gave it; null when it is nobody's deputy. */
  deputyEpoch(): number | null {
    return this.#deputyship.epoch;
  }

  /** Gives back what it owns under another. */
  async resign(): Promise<void> {
    const { talk } = this.#deputyship;
    if (talk !== null) await this.#isAnswered(talk, "resign", drainMsMax / 2);
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

  /** These are to be dropped when an owner says so; null when there are none any more. */
  keepFresh(copies: Copies | null): void {
    this.#copies = copies;
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

  /** Every member looks at the codes of its accounts, and meanwhile none of them changes hands. */
  async rescan(): Promise<RescanResult> {
    const keeper = this.#keeper;
    if (keeper !== null && this.#deciding.parts !== null) {
      const { rescan } = this.#deciding.parts;
      return keeper.still(async () => {
        const others = keeper.talks.map(async (talk) => (await talk.ask("rescan", {})).said);
        return sumOf(await Promise.all([rescan(), ...others]));
      });
    }
    const { talk } = this.#deputyship;
    if (talk === null) throw noOwner();
    return (await talk.ask("rescan", {})).said;
  }

  async movesOf(of: readonly string[], here: DecidingParts["movesOf"]): Promise<number> {
    const { talk } = this.#deputyship;
    return talk === null ? here(of) : (await talk.ask("moves", { of })).said.moves;
  }

  async farewell(): Promise<void> {
    const talk = this.#ownerTalk;
    if (talk !== null) await this.#isAnswered(talk, "left", ackMsMax);
  }

  /* ── What is told of it ──────────────────────────────────────────────────────────────────────────────────────────── */

  readonly figures: ClusterSources = {
    members: () => 1 + this.#bus.size,
    partitions: () => this.#options.gates.size,
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
    if (this.#options.lease().state() !== "owner") return Math.min(savedAt, this.#savedUntil);
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
    const isOwner = this.#keeper !== null;
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

  #allUnsavedMs(): number {
    const { wall } = this.#options.right.now();
    const isOwner = this.#options.lease().state() === "owner";
    return isOwner && this.#copies !== null ? wall - this.completeUntil(this.#copies.savedAt) : wall;
  }

  #unsavedMs(): number {
    return this.#copies === null ? 0 : Math.max(0, this.#options.clock.now() - this.#copies.savedAt);
  }

  /* ── Both ─────────────────────────────────────────────────────────────────────────────────────────────── */

  close(): void {
    this.#bus.close();
  }

  #isAnswered(talk: Talk, kind: "succeed" | "left" | "resign", withinMs: number): Promise<boolean> {
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

  #answerers(talk: Talk): Answerers {
    const { lease } = this.#options;
    const plainly = <T>(said: T) => ({ said, bytes: nothing });
    return {
      serve: ({ said: { term, hasEarlier } }) => {
        this.#asking.answeredTo(talk);
        const ms = lease().state() === "owner" ? this.#followers.grant(talk, term, hasEarlier) : 0;
        return plainly({ ms, epoch: lease().epoch(), unsavedMs: this.#allUnsavedMs() });
      },
      promise: () => {
        this.#asking.answeredTo(talk);
        return plainly({ ms: lease().promise(), unsavedMs: this.#unsavedMs() });
      },
      call: ({ said, bytes }, onUnwanted) => {
        if (!this.#followers.mayActFor(talk)) throw new Refused("nobody may wait for it any more");
        const { partition, ...request } = said;
        if (this.#asking.isHere(partition)) return this.#deciding.call(partition, request, bytes, onUnwanted);
        const unwanted = new AbortController();
        onUnwanted(() => unwanted.abort());
        return this.#asking.relay("call", said, bytes, unwanted.signal);
      },
      limited: ({ said }) => {
        const { partition, scans } = said;
        return this.#asking.isHere(partition)
          ? this.#deciding.limited(partition, scans)
          : this.#asking.relay("limited", said);
      },
      changed: async ({ said }) => {
        await this.#drop(said);
        return plainly({});
      },
      ended: ({ said: { next } }) => {
        this.#deputyship.closed(talk);
        if (next === null) this.#following.ended();
        else if (talk === this.#following.talk) this.#passesTo(next);
        return plainly({});
      },
      tell: async ({ said }) => {
        if (lease().epoch() === null || lease().epoch() !== this.#fenced) {
          throw new Refused("this process keeps nothing");
        }
        await Promise.all([this.#drop(said), this.#followers.tell(said, talk)]);
        return plainly({});
      },
      appoint: async ({ said }) => {
        if (talk !== this.#following.talk) throw new Refused("this process follows another");
        await this.#deputyship.begin(talk, said);
        return plainly({});
      },
      take: ({ said: { partitions } }) => {
        const owner = this.#underDeputyship(talk);
        if (owner === null) throw new Refused("this process owns nothing");
        owner.take(partitions);
        return plainly({});
      },
      release: async ({ said: { partitions } }) => {
        const owner = this.#underDeputyship(talk);
        if (owner === null) throw new Error("this process owns nothing");
        if (!(await owner.release(partitions))) throw new Refused("requests take long");
        return plainly({});
      },
      resign: async () => {
        await this.#keeper?.resign(talk);
        return plainly({});
      },
      usage: async ({ said: { account } }) =>
        plainly(await this.#deciding.answered(partitionOf(account), (owner) => owner.usage(account))),
      rescan: async () => {
        if (this.#deciding.parts === null) throw new Refused("this process owns nothing");
        return plainly(await (this.#keeper === null ? this.#deciding.parts.rescan() : this.rescan()));
      },
      moves: async ({ said: { of } }) => {
        if (this.#keeper === null) throw new Refused("this process keeps nothing");
        return plainly({ moves: await this.#deciding.parts!.movesOf(of) });
      },
      status: () => plainly(this.#status()),
      succeed: () => {
        if (lease().state() !== "standby") throw new Refused("this process cannot own");
        return plainly({});
      },
      hold: ({ said: { next } }) => {
        this.#asking.leaving = talk;
        if (talk === this.#following.talk) this.#passesTo(next);
        return plainly({});
      },
      left: () => {
        this.#followers.left(talk);
        return plainly({});
      },
    };
  }

  /** What decides here by what the other of the talk gave; null when nothing does. */
  #underDeputyship(talk: Talk): DecidingParts | null {
    const { talk: given, epoch } = this.#deputyship;
    return talk === given && this.#deciding.parts?.epoch === epoch ? this.#deciding.parts : null;
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

  /** A link that has a limit now is decided by what all have saved: so what was counted here must be saved first. */
  async #drop({ slugs, limited, projects, accounts, all }: Changed): Promise<void> {
    const copies = this.#copies;
    if (copies === null) return;
    if (all) copies.links.forgetAll();
    for (const slug of slugs) copies.links.forget(slug);
    for (const id of projects) copies.links.forgetProject(id);
    for (const [id, timezone] of accounts) copies.links.publishAccount({ id, timezone });
    if (limited.some((slug) => copies.hasUnsaved(slug))) await copies.checkpoint();
  }
}

function sumOf(results: readonly RescanResult[]): RescanResult {
  const sum = { checked: 0, blocked: 0, unblocked: 0 };
  for (const { checked, blocked, unblocked } of results) {
    sum.checked += checked;
    sum.blocked += blocked;
    sum.unblocked += unblocked;
  }
  return sum;
}
