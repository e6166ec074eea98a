/** Everything that a copy does may be done twice, so a store that was away for a moment is simply asked again. */
import { StoreUnavailable } from "../../store/store.ts";

const triesMax = 5;

export async function patiently<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable) || tries === triesMax) throw cause;
      await new Promise((resolve) => setTimeout(resolve, tries * 500));
    }
  }
}
