/**
 * What the host of a virtual machine gives to others is missing in a measurement. A slice in which that was more than a
 * twentieth, or in which a core was slower than it can be (`pace.ts`), is measured again: judged by what was taken, never
 * by what was measured. One that is never left alone is measured all the same, and the reader told so. A server that
 * stood still answers nothing, which fails a slice: that is no failure of the server's then.
 */
import { takenShare, ticks } from "../scripts/taken-time.ts";
import type { Paces } from "./pace.ts";

const takenMax = 0.05;
const triesMax = 4;
const aboutTaken = "slices in which the host took more than 5 % of the processor";
const aboutPace = "slices in which a core ran slower than it can, since another used its other half,";

export type Undisturbed = <T>(measure: () => Promise<T>) => Promise<T>;

/** `againMax`: how many slices of a whole run may be measured again. */
export function undisturbed(
  againMax: number,
  note: (text: string) => void,
  paces: Paces,
  look = ticks,
): Undisturbed {
  let left = againMax;
  return async (measure) => {
    for (let tries = 1; ; tries++) {
      const beganFull = await paces.untilFull();
      const before = look();
      const [slice] = await Promise.allSettled([measure()]);
      const about: string[] = [];
      if (takenShare(before, look()) > takenMax) about.push(aboutTaken);
      if (!beganFull || !(await paces.areFull())) about.push(aboutPace);
      if (about.length > 0 && tries < triesMax && left > 0) {
        left--;
        for (const reason of about) note(`${reason} were measured again`);
        continue;
      }
      if (slice.status === "rejected") throw slice.reason;
      for (const reason of about) note(`${reason} are among these figures`);
      return slice.value;
    }
  };
}
