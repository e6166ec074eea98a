/**
 * The life of a render request.
 *
 *   pending  → done | error     asked for the first time, nothing is served yet
 *   staging  → done | error     asked again, the last image is served meanwhile
 *   any      → idle             the code was archived: nothing to render
 *   idle     → done | pending | staging   the code was reactivated
 */
import type { Millis } from "../../runtime/clock.ts";
import type { RenderState, StoredRenderStatus } from "../documents.ts";

export function firstRender(now: Millis): RenderState {
  return {
    status: "pending",
    version: 1,
    requested_at: now,
    attempt: 0,
    error: null,
    rendered_at: null,
    rendered_version: 0,
    svg: null,
    png: null,
  };
}

/** Something that the image depends on has changed. */
export function askAgain(render: RenderState, now: Millis): RenderState {
  const version = render.version + 1;
  if (render.status === "idle") return { ...render, version };
  return { ...ask(render, now), version };
}

export function putToRest(render: RenderState): RenderState {
  return { ...render, status: "idle" };
}

export function wake(render: RenderState, now: Millis): RenderState {
  if (render.rendered_version === render.version) return { ...render, status: "done" };
  return ask(render, now);
}

export const wantingStatuses: readonly StoredRenderStatus[] = ["pending", "staging"];

export function wantsImage({ status }: Pick<RenderState, "status">): boolean {
  return wantingStatuses.includes(status);
}

export function rendered(
  render: RenderState,
  files: Pick<RenderState, "svg" | "png">,
  now: Millis,
): RenderState {
  return {
    ...render,
    ...files,
    status: "done",
    attempt: render.attempt + 1,
    error: null,
    rendered_at: now,
    rendered_version: render.version,
  };
}

export function renderFailed(render: RenderState, error: string, final: boolean): RenderState {
  return { ...render, status: final ? "error" : render.status, attempt: render.attempt + 1, error };
}

function ask(render: RenderState, now: Millis): RenderState {
  return {
    ...render,
    status: render.svg === null ? "pending" : "staging",
    requested_at: now,
    attempt: 0,
    error: null,
  };
}
