/** Requests on their way from one member to another. What is sent in full is only named on the wire. */
import { ApiError } from "../../../src/domain/errors.ts";
import type { Asker, InnerAnswer, InnerRequest } from "../../../src/engine/inner-app.ts";
import type { Method } from "../../../src/http/access.ts";
import type { Cluster } from "../../../src/service/cluster/cluster.ts";
import type { Answer, Fields, Request } from "../machine/door.ts";
import type { Process } from "../machine/process.ts";

interface Forwarded {
  method: Method;
  path: string;
  request: Request;
}

const bytesOfId = (id: number) => Buffer.from(String(id));
const idOf = (bytes: Uint8Array) => Number(Buffer.from(bytes).toString());

export class Letters {
  readonly #sealed = new Map<number, unknown>();
  #last = 0;

  seal(letter: unknown): number {
    this.#sealed.set(++this.#last, letter);
    return this.#last;
  }

  open<T>(id: number): T {
    const letter = this.#sealed.get(id) as T;
    this.#sealed.delete(id);
    return letter;
  }
}

/** As the member that decides answers. */
export function answering(process: Process, letters: Letters) {
  return {
    async ask(_request: InnerRequest, body: Uint8Array, asker: Asker): Promise<InnerAnswer | null> {
      const { method, path, request } = letters.open<Forwarded>(idOf(body));
      if (process.parts.api === null) return null;
      let isWanted = true;
      asker.onUnwanted(() => {
        isWanted = false;
      });
      const waitedFor = () => isWanted && asker.isWaitedFor();
      const answer = await process.answerHere(method, path, request, waitedFor);
      if (answer === "lost") return null;
      return { status: answer.status, head: "", length: 0, body: bytesOfId(letters.seal(answer)) };
    },
  };
}

/** As the member that took it hands it on. */
export async function forwarded(
  cluster: Cluster,
  letters: Letters,
  asked: Forwarded,
  partition: number | null,
): Promise<Answer> {
  const request = { method: asked.method, path: asked.path, query: "", headers: [], peer: "" };
  try {
    const { signal } = new AbortController();
    const letter = bytesOfId(letters.seal(asked));
    const { body } = await cluster.call(request, letter, signal, partition);
    return letters.open<Answer>(idOf(body));
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return { status: cause.status, code: cause.code, bytes: "", fields: {} as Fields, admission: null };
  }
}
