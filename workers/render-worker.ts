/** What a render thread runs. The bytes leave it by transfer: the event loop never copies them. */
import { move, transferableSymbol, valueSymbol } from "piscina";
import type { RenderTask } from "../src/render/render-job.ts";
import { letOthersFirst, threadNumber } from "../src/render/thread-time.ts";
import { render } from "./render.ts";

const thread = threadNumber();
letOthersFirst();

export default function renderAndMove({ job, begun }: RenderTask): unknown {
  Atomics.store(begun, 0, thread);
  const result = render(job);
  const buffers = [result.svg.bytes.buffer];
  if (result.png !== null) buffers.push(result.png.bytes.buffer);
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}
