/**
 * The keeper: the member that holds the lease, as the one that says who decides for which accounts.
 *
 * It begins with all partitions. Every member that serves under its right is *appointed* its deputy, by a number to own
 * under (`store/deputies.ts`), and given the partitions that it should have by the rules of `partitions.ts`, a few at a
 * time: whoever has them lets its requests end and stores what it has in memory, then the next one begins. Whatever is
 * asked meanwhile finds nobody who decides, and is held (`holding.ts`).
 *
 * A deputy owns as long as its talk with the keeper lasts. When that ends nobody knows what it has written and not told:
 * it is shut out, all members drop all copies or serve no more, itself among them, and the keeper has its partitions. So it
 * is with one that cannot reach the database while the keeper can: it is deposed, and goes on as a member that owns nothing. The
 * rate meters of a deputy go with its partitions; those of one that is lost are lost: minutes and days are stored, on the
 * safe side, and the second is waited for.
 *
 * Who holds the lease next begins with all partitions again, so who has which is kept nowhere but here. Rejected: a
 * document a partition, changed by its owner. It keeps partitions where they are when the keeper dies, but links stand
 * still then all the same, until rights come from somebody else; and each member would have to know and tell all others.
 */
import type { HandedKeyMeter } from "../../domain/account/rate-window.ts";
import { moveLookMs, moveMsMax, partitionMovesMax, partitionsMax } from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Deputies } from "../../store/deputies.ts";
import type { Questions } from "../bus/messages.ts";
import { type Talk, Unanswered } from "../bus/talk.ts";
import type { Followers } from "../followers.ts";
import type { Reach } from "../reach.ts";
import { allPartitions } from "./gates.ts";
import { type MemberEpoch, surplus } from "./partitions.ts";

/** What is done with partitions here, by the keeper as by each of its deputies. */
export interface Holder {
  /** Resolves with their rate meters when nothing else of these is in memory here; null when that is not possible now. */
  release(partitions: readonly number[]): Promise<readonly HandedKeyMeter[] | null>;
  take(partitions: readonly number[], meters: readonly HandedKeyMeter[]): void;
}

export interface KeeperOptions {
  clock: Clock;
  /** Of the lease. */
  epoch: MemberEpoch;
  own: Holder;
  deputies: Deputies;
  followers: Pick<Followers, "reachable">;
  /** Of this process. */
  reach: Pick<Reach, "isSteady">;
  /** Resolves when the second is over. */
  nextSecond(): Promise<void>;
  /** Resolves when no member serves a copy of any link from before, whether or not it can be spoken with. */
  dropAll(): Promise<void>;
}

interface Deputy {
  readonly talk: Talk;
  readonly epoch: MemberEpoch;
  /** appointed → ready → leaving; gone from each of them. */
  state: "appointed" | "ready" | "leaving" | "gone";
}

type Question = "appoint" | "take" | "release" | "depose";

/** Others hold what they would hand on meanwhile: not for long. */
const recallTries = 2;

const noMeters: Questions["release"]["answered"] = { meters: [] };

export class Keeper {
  readonly #options: KeeperOptions;
  /** Null of one that is on its way. */
  readonly #owners: (Deputy | "self" | null)[] = Array.from({ length: partitionsMax }, () => "self");
  readonly #deputies = new Map<Talk, Deputy>();
  #turn: Promise<unknown> = Promise.resolve();
  #stills = 0;
  #isOver = false;
  #cancel: () => void = () => {};

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(moveLookMs, () => {
      void this.#inTurn(() => this.#look()).finally(() => !this.#isOver && this.start());
    });
  }

  /** Who decides for the partition; null while nobody does. */
  ownerOf(partition: number): Talk | "self" | null {
    const owner = this.#owners[partition]!;
    return owner === "self" || owner === null ? owner : owner.talk;
  }

  /** Those that may decide for something. */
  get talks(): Talk[] {
    return [...this.#deputies.values()].flatMap(({ talk, state }) => (state === "gone" ? [] : [talk]));
  }

  closed(talk: Talk): void {
    const deputy = this.#deputies.get(talk);
    if (deputy !== undefined) void this.#lose(deputy);
  }

  /** Resolves when that one has no partitions any more, and can write nothing. */
  async resign(talk: Talk): Promise<void> {
    const deputy = this.#deputies.get(talk);
    if (deputy === undefined) return;
    deputy.state = "leaving";
    const hasSome = () => this.#deputies.get(talk) === deputy && this.#owners.includes(deputy);
    while (!this.#isOver && hasSome()) {
      const isMoved = await this.#inTurn(() => this.#move());
      // It cannot let go just now.
      if (!isMoved && hasSome()) await this.#pause();
    }
    await this.#options.deputies.dismiss(deputy.epoch);
  }

  /** Nothing moves while it runs. */
  async still<T>(run: () => Promise<T>): Promise<T> {
    this.#stills++;
    try {
      await this.#turn;
      return await run();
    } finally {
      this.#stills--;
    }
  }

  /** Nothing is given away any more. */
  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  /**
   * The accounts go to another member: deputies give all back. Whoever does not can write nothing once that one keeps, but
   * may let requests through for as long as it has a right to serve, and nobody knows how many: so that is waited for, as
   * for one that is lost. Resolves with the rate meters that came back.
   */
  async recall(): Promise<HandedKeyMeter[]> {
    this.stop();
    await this.#turn;
    const { dropAll, nextSecond } = this.#options;
    const all = [...this.#deputies.values()].map(async (deputy) => {
      const partitions = allPartitions.filter((partition) => this.#owners[partition] === deputy);
      for (const partition of partitions) this.#owners[partition] = null;
      let released = partitions.length === 0 ? noMeters : null;
      // One that cannot let go just now can a moment later.
      for (let tries = 0; released === null && tries < recallTries && deputy.talk.isOpen; tries++) {
        released = await this.#ask(deputy, "release", { partitions });
      }
      // Whoever keeps next shuts all of them out.
      if (released === null) deputy.talk.close("it did not give its partitions back");
      return released;
    });
    const given = await Promise.all(all);
    if (given.includes(null)) {
      await dropAll();
      await nextSecond();
    }
    return given.flatMap((released) => released?.meters ?? []);
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #look(): Promise<void> {
    const { followers, reach } = this.#options;
    for (const talk of reach.isSteady ? followers.reachable(false) : []) await this.#depose(talk);
    for (const talk of followers.reachable()) {
      if (!this.#deputies.has(talk)) await this.#appoint(talk).catch(() => {});
    }
    while (!this.#isOver && this.#stills === 0 && (await this.#move()));
  }

  async #appoint(talk: Talk): Promise<void> {
    if (this.#isOver) return;
    const epoch = await this.#options.deputies.appoint();
    const deputy: Deputy = { talk, epoch, state: "appointed" };
    this.#deputies.set(talk, deputy);
    if (!talk.isOpen) void this.#lose(deputy);
    else if (await this.#ask(deputy, "appoint", { epoch, under: this.#options.epoch })) {
      if (deputy.state === "appointed") deputy.state = "ready";
    } else talk.close("it could not be a deputy");
  }

  async #depose(talk: Talk): Promise<void> {
    const deputy = this.#deputies.get(talk);
    if (deputy?.state !== "ready") return;
    if ((await this.#ask(deputy, "depose", {})) !== null) void this.#lose(deputy);
  }

  /** One batch from one member to another; false when there is none, or it could not be done. */
  async #move(): Promise<boolean> {
    const members = new Map<MemberEpoch, Deputy | "self">([[this.#options.epoch, "self"]]);
    for (const deputy of this.#deputies.values()) {
      if (deputy.state === "ready") members.set(deputy.epoch, deputy);
    }
    const owners = this.#owners.map((owner) => (owner === null ? null : this.#epochOf(owner)));
    const epochs = new Set(members.keys());
    for (const from of ["self" as const, ...this.#deputies.values()]) {
      if (from !== "self" && from.state === "gone") continue;
      const most = from !== "self" && from.state === "leaving" ? partitionsMax : partitionMovesMax;
      const [first, ...others] = surplus(this.#epochOf(from), owners, epochs, most);
      if (first === undefined) continue;
      const together = [first, ...others.filter(({ to }) => to === first.to)];
      const partitions = together.map(({ partition }) => partition);
      return this.#give(partitions, from, members.get(first.to)!);
    }
    return false;
  }

  async #give(partitions: readonly number[], from: Deputy | "self", to: Deputy | "self"): Promise<boolean> {
    const { own } = this.#options;
    this.#assign(partitions, null);
    const meters =
      from === "self"
        ? await own.release(partitions)
        : ((await this.#ask(from, "release", { partitions }))?.meters ?? null);
    if (meters === null) {
      this.#assign(partitions, from);
      return false;
    }
    if (to === "self") own.take(partitions, meters);
    // Whether it has them is not known then: it is lost, and they with it.
    else if ((await this.#ask(to, "take", { partitions, meters })) === null) {
      to.talk.close("it did not take partitions");
    }
    this.#assign(partitions, to);
    return true;
  }

  async #lose(deputy: Deputy): Promise<void> {
    if (deputy.state === "gone") return;
    deputy.state = "gone";
    const { deputies, own, dropAll, nextSecond } = this.#options;
    while (!this.#isOver) {
      try {
        await deputies.dismiss(deputy.epoch);
        break;
      } catch {
        await this.#pause();
      }
    }
    await this.#inTurn(async () => {
      if (this.#isOver) return;
      const lost = allPartitions.filter((partition) => this.#owners[partition] === deputy);
      this.#deputies.delete(deputy.talk);
      if (lost.length === 0) return;
      this.#assign(lost, null);
      await dropAll();
      await nextSecond();
      own.take(lost, []);
      this.#assign(lost, "self");
    });
  }

  /** Null when it refused. Whoever does not answer in time is cut off. */
  async #ask<K extends Question>(
    { talk }: Deputy,
    kind: K,
    asked: Questions[K]["asked"],
  ): Promise<Questions[K]["answered"] | null> {
    const cancel = this.#options.clock.after(moveMsMax, () =>
      talk.close("it did not do in time what it was told"),
    );
    try {
      return (await talk.ask(kind, asked)).said;
    } catch (cause) {
      if (!(cause instanceof Unanswered && cause.isUndone)) talk.close("it could not do what it was told");
      return null;
    } finally {
      cancel();
    }
  }

  #assign(partitions: readonly number[], owner: Deputy | "self" | null): void {
    for (const partition of partitions) this.#owners[partition] = owner;
  }

  #epochOf(owner: Deputy | "self"): MemberEpoch {
    return owner === "self" ? this.#options.epoch : owner.epoch;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(moveLookMs, resolve));
  }
}
