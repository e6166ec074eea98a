/**
 * A talk: two members on a wire, from the greeting to the end.
 *
 * Each side asks and each side answers; a number joins the two. A question is sent once, in one talk: when that ends,
 * all that was asked and not answered fails, and whether it was done is not known. To ask again in the next talk is
 * left to those who can bear that it is done twice. Who wants no answer any more says so, and gets one all the same: what
 * it is depends on how far the other has come.
 *
 * All that a peer can make grow has a bound, and who is over one is cut off: the length of a frame, questions without
 * an answer, bytes that it does not read. So is one of whom nothing was heard for some beats. Beats are counted and
 * time is not compared: a process that was paused itself has counted one beat when it wakes up, and reads first.
 *
 *     greeting → open → closed, or greeting → closed
 */
import {
  busBeatMs,
  busFrameBytesMax,
  busGreetingBytesMax,
  busGreetingMsMax,
  busQuestionsMax,
  busSilentBeats,
  busUnsentBytesMax,
} from "../../limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import { PassingMap } from "../../runtime/passing-map.ts";
import type { Random } from "../../runtime/random.ts";
import { BadFrame, type Frame, FrameReader, frameOf } from "./frames.ts";
import {
  type Answerers,
  frameFor,
  isQuestion,
  kindOf,
  nothing,
  type OnUnwanted,
  type QuestionKind,
  type Questions,
  type Said,
} from "./messages.ts";
import {
  busVersion,
  challengeBytes,
  type Hello,
  helloIn,
  isProved,
  proofOf,
  type Side,
  whyNoHello,
} from "./proof.ts";
import type { Wire } from "./wire.ts";

/** What was asked was not answered. `isUndone` when it is certain that it was not done, and will not be. */
export class Unanswered extends Error {
  override name = "Unanswered";
  readonly isUndone: boolean;

  constructor(message: string, isUndone: boolean) {
    super(message);
    this.isUndone = isUndone;
  }
}

/** Thrown by who is asked when it is certain that nothing was done, and that nothing will be. */
export class Refused extends Error {
  override name = "Refused";
}

export interface TalkOptions {
  wire: Wire;
  side: Side;
  /** Of this process. */
  name: string;
  secret: Uint8Array;
  clock: Clock;
  random: Random;
  /** Made when the other is known to be a member. */
  answerers(talk: Talk): Answerers;
  /** The other is a member. */
  opened(talk: Talk): void;
  /** Once, opened or not. */
  closed(talk: Talk, reason: string): void;
  /** As long as it is open, so that neither is silent. */
  beat(talk: Talk): void;
}

interface Asked {
  resolve(answer: Said<unknown>): void;
  reject(cause: Unanswered): void;
}

export class Talk {
  readonly #options: TalkOptions;
  readonly #reader = new FrameReader(busGreetingBytesMax);
  readonly #own: Hello;
  readonly #asked = new PassingMap<number, Asked>();
  #answerers: Answerers | null = null;
  #state: "greeting" | "open" | "closed" = "greeting";
  #other: Hello | null = null;
  #asks = 0;
  /** Questions of the other that wait for our answer. */
  #answering = 0;
  /** What to do about those of them that the other wants no answer to any more. */
  readonly #unwanted = new PassingMap<number, () => void>();
  #unheardBeats = 0;
  #cancel: () => void;

  constructor(options: TalkOptions) {
    const { wire, clock, random, name } = options;
    this.#options = options;
    const challenge = Buffer.from(random(challengeBytes)).toString("hex");
    this.#own = { version: busVersion, name, challenge };
    this.#cancel = clock.after(busGreetingMsMax, () => this.close("it did not greet in time"));
    wire.listen({
      got: (bytes) => this.#got(bytes),
      closed: () => this.close("the connection was closed"),
    });
    this.#send(frameFor("hello", 0, this.#own));
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** The other's, once it is open. */
  get peer(): string {
    return this.#other!.name;
  }

  /** Rejects with `Unanswered` when the talk ends first, or the other could not answer. */
  ask<K extends QuestionKind>(
    kind: K,
    asked: Questions[K]["asked"],
    bytes: Uint8Array = nothing,
    unwanted?: AbortSignal,
  ): Promise<Said<Questions[K]["answered"]>> {
    return new Promise((resolve, reject) => {
      if (this.#state !== "open") reject(new Unanswered("The connection is closed.", true));
      else if (this.#asked.size >= busQuestionsMax) reject(new Unanswered("Too much is being asked.", true));
      else {
        this.#asks = (this.#asks + 1) % 2 ** 32;
        const number = this.#asks;
        const tell = () => {
          if (this.#asked.has(number)) this.#send(frameFor("unwanted", number, {}));
        };
        // The same may be asked of several owners, one after the other.
        const forget = () => unwanted?.removeEventListener("abort", tell);
        unwanted?.addEventListener("abort", tell);
        this.#asked.set(number, {
          resolve(answer) {
            forget();
            resolve(answer as Said<Questions[K]["answered"]>);
          },
          reject(cause) {
            forget();
            reject(cause);
          },
        });
        this.#send(frameFor(kind, number, asked, bytes));
      }
    });
  }

  close(reason: string): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#cancel();
    this.#options.wire.close();
    for (const { reject } of this.#asked.values()) reject(new Unanswered(`No answer: ${reason}.`, false));
    this.#asked.clear();
    for (const giveUp of this.#unwanted.values()) giveUp();
    this.#options.closed(this, reason);
  }

  #send(frame: Frame): void {
    const { wire } = this.#options;
    const bytes = frameOf(frame);
    if (bytes.length > busFrameBytesMax) this.close("a message was too long");
    else if (wire.unsentBytes + bytes.length > busUnsentBytesMax) this.close("it does not read");
    else wire.send(bytes);
  }

  #got(bytes: Uint8Array): void {
    this.#unheardBeats = 0;
    try {
      for (const frame of this.#reader.read(bytes)) {
        // What a frame says may end the talk.
        if (this.#state === "closed") return;
        this.#take(frame);
      }
    } catch (cause) {
      if (!(cause instanceof BadFrame || cause instanceof SyntaxError)) throw cause;
      this.close(`it sent ${cause.message}`);
    }
  }

  #take(frame: Frame): void {
    const kind = kindOf(frame);
    if (this.#state === "greeting") this.#greeted(kind, JSON.parse(frame.text));
    else if (kind === "answer" || kind === "failure") this.#answered(kind, frame);
    else if (kind === "unwanted") this.#unwanted.get(frame.number)?.();
    else if (kind !== undefined && isQuestion(kind)) void this.#answer(kind, frame);
    else throw new BadFrame(`a frame of kind ${frame.kind}`);
  }

  #greeted(kind: string | undefined, said: Record<string, unknown> | null): void {
    const { secret, side } = this.#options;
    if (this.#other === null) {
      this.#other = kind === "hello" ? helloIn(said) : null;
      if (this.#other === null) this.close(whyNoHello(said));
      else if (this.#other.name === this.#own.name) this.close("it is this process itself");
      else this.#send(frameFor("proof", 0, { proof: proofOf(secret, side, this.#own, this.#other) }));
      return;
    }
    if (kind === "proof" && isProved(secret, side, this.#own, this.#other, said?.proof)) this.#open();
    else this.close("it does not know the secret");
  }

  #open(): void {
    this.#state = "open";
    this.#reader.bytesMax = busFrameBytesMax;
    this.#cancel();
    this.#answerers = this.#options.answerers(this);
    this.#options.opened(this);
    this.#beat();
  }

  #beat(): void {
    if (this.#state !== "open") return;
    if (this.#unheardBeats++ >= busSilentBeats) {
      this.close("it is silent");
      return;
    }
    this.#options.beat(this);
    this.#cancel = this.#options.clock.after(busBeatMs, () => this.#beat());
  }

  #answered(kind: "answer" | "failure", { number, text, bytes }: Frame): void {
    const asked = this.#asked.get(number);
    if (asked === null) throw new BadFrame("an answer that nobody waits for");
    this.#asked.delete(number);
    const said = JSON.parse(text);
    if (kind === "answer") asked.resolve({ said, bytes });
    else asked.reject(new Unanswered(`It failed: ${said.problem}`, said.isRefused === true));
  }

  async #answer(kind: QuestionKind, { number, text, bytes }: Frame): Promise<void> {
    if (this.#answering >= busQuestionsMax) {
      this.close("it asks too much");
      return;
    }
    this.#answering++;
    let answer: Frame;
    try {
      const { said, bytes: told } = await answeredBy(
        this.#answerers!,
        kind,
        { said: JSON.parse(text), bytes },
        (run) => void this.#unwanted.set(number, run),
      );
      answer = frameFor("answer", number, said, told);
    } catch (cause) {
      const isRefused = cause instanceof Refused || (cause instanceof Unanswered && cause.isUndone);
      answer = frameFor("failure", number, { problem: (cause as Error).message, isRefused });
    }
    this.#answering--;
    this.#unwanted.delete(number);
    if (this.#state === "open") this.#send(answer);
  }
}

function answeredBy<K extends QuestionKind>(
  answerers: Answerers,
  kind: K,
  asked: Said<Questions[K]["asked"]>,
  onUnwanted: OnUnwanted,
) {
  return answerers[kind](asked, onUnwanted);
}
