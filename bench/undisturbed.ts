/**
 * What the host of a virtual machine gives to others is missing in a measurement. A slice in which that was more than a
 * twentieth is measured again: judged by what was taken, never by what was measured. One that is never left alone is
 * measured all the same, and the reader told so. A server that stood still answers nothing, which fails a slice: that is
 * no failure of the server's then.
 */
import { takenShare, ticks } from "../scripts/taken-time.ts";

const takenMax = 0.05;
const triesMax = 4;
const aboutSlices = "slices in which the host took more than 5 % of the processor";

export type Undisturbed = <T>(measure: () => Promise<T>) => Promise<T>;

/** `againMax`: how many slices of a whole run may be measured again. */
export function undisturbed(againMax: number, note: (text: string) => void, look = ticks): Undisturbed {
  let left = againMax;
  return async (measure) => {
    for (let tries = 1; ; tries++) {
      const before = look();
      const [slice] = await Promise.allSettled([measure()]);
      const isDisturbed = takenShare(before, look()) > takenMax;
      if (isDisturbed && tries < triesMax && left > 0) {
        left--;
        note(`${aboutSlices} were measured again`);
        continue;
      }
      if (slice.status === "rejected") throw slice.reason;
      if (isDisturbed) note(`${aboutSlices} are among these figures`);
      return slice.value;
    }
  };
}
