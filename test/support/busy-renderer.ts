import type { Client } from "./client.ts";

/** Gives the renderer seconds of work, so that what is asked for next is still waiting when a test looks. */
export async function keepRendererBusy(api: Client): Promise<void> {
  const qr_render_metadata = { width: 4096, dot_style: "classy-rounded", eye_style: "leaf" };
  await Promise.all(Array.from({ length: 5 }, () => api.createCode({ qr_render_metadata })));
}
