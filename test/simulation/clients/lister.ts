import { type AccountRecord, require } from "../checks/ledger.ts";
import type { Scene } from "../scene.ts";
import { callWithKey, isUncertain } from "./key-holder.ts";

const lists = 2;
const triesPerPage = 5;

/** Reads the list of codes page by page while others write, over crashes too. */
export function lister(world: Scene, account: AccountRecord): () => Promise<void> {
  const random = world.random.fork();

  async function page(
    size: number,
    token: string | null,
  ): Promise<{ ids: string[]; next: string | null } | null> {
    for (let tries = 0; tries < triesPerPage; tries++) {
      const answer = await callWithKey(world, account, "GET", "/v1/qr-codes", {
        query: { page_size: String(size), ...(token === null ? {} : { page_token: token }) },
      });
      if (!isUncertain(answer) && answer.status === 200) {
        const { items, next_page_token: next } = answer.fields;
        return { ids: items.map((item) => item.qr_id), next };
      }
      await world.loop.sleep(1_000);
    }
    return null;
  }

  async function readAll(): Promise<void> {
    const there = world.ledger.codesOf(account.id).map((code) => ({ code, revision: code.face.revision }));
    const size = random.between(1, 4);
    const ids: string[] = [];
    let token: string | null = null;
    do {
      const read = await page(size, token);
      if (read === null) return;
      ids.push(...read.ids);
      token = read.next;
    } while (token !== null);
    require(new Set(ids).size === ids.length, () => `a list repeats a code: ${ids}`);
    for (const { code, revision } of there) {
      const [face, ...others] = code.face.possible;
      if (revision !== code.face.revision || others.length > 0 || face!.status !== "active") continue;
      require(ids.includes(code.id), () => `a list skips ${code.id}: ${ids}`);
    }
  }

  return async () => {
    for (let n = 0; n < lists; n++) {
      await world.loop.sleep(random.below(15_000));
      await readAll();
    }
  };
}
