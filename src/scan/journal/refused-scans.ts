/**
 * Scans that the disk did not take, until it does. They are counted, and answered; the next frame of their link has a
 * greater count, so a restart would know that there were some and not of which hour, nor of whom.
 *
 * Kept as frames of their own, one an hour at least, so that they are written like any others, before what comes after
 * them. Of more than there is room for the oldest go: a checkpoint will have brought them into the store.
 *
 * Rejected: to guess their hour at the restart. Where the disk was full before and after the end of an hour nothing tells.
 */
import { refusedFrameScans, refusedFramesMax } from "../../limits.ts";
import type { SlugKey } from "../../link/slug.ts";
import { Frame } from "./frame.ts";

export interface RefusedFrame {
  readonly hour: number;
  readonly frame: Frame;
}

export class RefusedScans {
  readonly #frames: RefusedFrame[] = [];

  /** The oldest of them. */
  get first(): RefusedFrame | undefined {
    return this.#frames[0];
  }

  /** Scans of one turn; `isTakenBack` says of which link none is counted. */
  keep(refused: Frame, hour: number, isTakenBack: (key: SlugKey) => boolean): void {
    refused.read((key, count, visitor) => {
      if (!isTakenBack(key)) this.#frameOf(hour).append(key, count, visitor);
    });
  }

  /** The first is written. */
  written(): void {
    this.#frames.shift();
  }

  #frameOf(hour: number): Frame {
    const last = this.#frames.at(-1);
    if (last?.hour === hour && last.frame.records < refusedFrameScans) return last.frame;
    if (this.#frames.length === refusedFramesMax) this.#frames.shift();
    const frame = new Frame(refusedFrameScans);
    this.#frames.push({ hour, frame });
    return frame;
  }
}
