import { type Answerers, nothing } from "../../../src/cluster/bus/messages.ts";

/** Answers as plain as can be, but for those that a test is about. */
export function plainAnswerers(some: Partial<Answerers> = {}): Answerers {
  return {
    serve: () => ({ said: { ms: 0, epoch: null, unsavedMs: 0, reaches: true }, bytes: nothing }),
    promise: () => ({ said: { ms: 0, unsavedMs: 0 }, bytes: nothing }),
    call: ({ said, bytes }) => ({
      said: { status: 200, head: `200 OK\r\nx-asked: ${said.method} ${said.path}`, length: bytes.length },
      bytes,
    }),
    limited: ({ said }) => ({ said: { verdicts: said.scans.map(() => 0) }, bytes: nothing }),
    changed: () => ({ said: {}, bytes: nothing }),
    ended: () => ({ said: {}, bytes: nothing }),
    status: () => ({
      said: {
        ...{ epoch: 1, address: "member.example:1", state: "follower" },
        ...{ mayServe: true, confirmedMsAgo: 0, partitions: 0 },
      },
      bytes: nothing,
    }),
    tell: () => ({ said: {}, bytes: nothing }),
    appoint: () => ({ said: {}, bytes: nothing }),
    take: () => ({ said: {}, bytes: nothing }),
    release: () => ({ said: { meters: [] }, bytes: nothing }),
    resign: () => ({ said: {}, bytes: nothing }),
    usage: () => ({ said: { minute: 0, day: 0, projects: 0 }, bytes: nothing }),
    rescan: () => ({ said: { checked: 0, blocked: 0, unblocked: 0 }, bytes: nothing }),
    inherit: () => ({ said: {}, bytes: nothing }),
    session: () => ({ said: { refused: null, retryAfter: 0 }, bytes: nothing }),
    depose: () => ({ said: {}, bytes: nothing }),
    moves: () => ({ said: { moves: 0 }, bytes: nothing }),
    succeed: () => ({ said: {}, bytes: nothing }),
    hold: () => ({ said: {}, bytes: nothing }),
    left: () => ({ said: {}, bytes: nothing }),
    ...some,
  };
}
