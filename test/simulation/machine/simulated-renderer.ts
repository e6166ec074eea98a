import { createHash } from "node:crypto";
import { renderMsMax } from "../../../src/limits.ts";
import type { Renderer } from "../../../src/render/pool.ts";
import type { RenderedFile, RenderJob } from "../../../src/render/render-job.ts";
import type { Faults } from "../faults.ts";
import type { Seeded } from "../seeded-random.ts";
import type { VirtualLoop } from "../virtual-loop.ts";

/** Draws nothing, takes time, fails and hangs. */
export function simulatedRenderer(loop: VirtualLoop, random: Seeded, faults: Faults): Renderer {
  let drawing = 0;
  return {
    hasRoom: () => drawing < 2,
    async render(job) {
      const fate = faults.render();
      drawing++;
      await loop.sleep(fate === "hangs" ? renderMsMax : random.between(1, 200));
      drawing--;
      if (fate === "hangs") throw new Error("Rendering took too long.");
      if (fate === "fails") throw new Error("Rendering failed.");
      return { svg: fileOf(job, "svg"), png: job.metadata.export_png ? fileOf(job, "png") : null };
    },
    close: () => Promise.resolve(),
  };
}

function fileOf(job: RenderJob, kind: string): RenderedFile {
  const digest = createHash("sha256")
    .update(`${kind} ${job.content} ${job.metadata.foreground_color}`)
    .digest();
  return { hash: digest.toString("hex").slice(0, 32), bytes: new Uint8Array(digest) };
}
