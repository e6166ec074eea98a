/** What a render thread runs. The bytes leave it by transfer: the event loop never copies them. */
import { move, transferableSymbol, valueSymbol } from "piscina";
import { type Drawn, jobsAt, type RenderJob, type RenderTask, threadAt } from "../src/render/render-job.ts";
import { letOthersFirst, letOthersIn, threadNumber } from "../src/render/thread-time.ts";
import { render } from "./render.ts";

const thread = threadNumber();
letOthersFirst();

export default function renderAndMove({ jobs, begun }: RenderTask): unknown {
  Atomics.store(begun, threadAt, thread);
  const buffers: ArrayBufferLike[] = [];
  const drawn = jobs.map((job, at) => {
    if (at > 0) letOthersIn();
    Atomics.add(begun, jobsAt, 1);
    return drawnOf(job, buffers);
  });
  return move({ [transferableSymbol]: buffers, [valueSymbol]: drawn });
}

function drawnOf(job: RenderJob, buffers: ArrayBufferLike[]): Drawn {
  try {
    const result = render(job, letOthersIn);
    buffers.push(result.svg.bytes.buffer);
    if (result.png !== null) buffers.push(result.png.bytes.buffer);
    return result;
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
