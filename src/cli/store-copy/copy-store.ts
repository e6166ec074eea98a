/**
 * Copies a whole store into another one and proves it.
 *
 * First the target is looked through: it may hold nothing but what the source has too, so a copy that was cut
 * short can be repeated and a store that has a life of its own is never touched. Then everything is copied, and
 * at last both are read again and compared by number and checksum.
 */
import { createHash } from "node:crypto";
import type { WholeStore } from "../../store/store.ts";
import { CopyError, type OpenedStore } from "./open-store.ts";
import { patiently } from "./patience.ts";
import { fingerprintText, type Part, parts } from "./store-parts.ts";

export type CopiedPart = { part: string; items: number; checksum: string };

export type Progress = (
  step: "looking through" | "copying" | "verifying",
  part: string,
  items: number,
) => void;

const itemsPerStep = 200;
const bytesPerWrite = 4 * 1024 ** 2;

export async function copyStore(
  from: OpenedStore,
  to: OpenedStore,
  progress: Progress,
): Promise<CopiedPart[]> {
  for (const part of parts) await refuseOtherData(part, from, to, progress);
  const secrets = await patiently(() => from.store.secrets());
  for (const [name, bytes] of secrets) await patiently(() => to.store.adoptSecret(name, bytes));
  for (const part of parts) await copyPart(part, from.store, to.store, progress);
  const copied: CopiedPart[] = [];
  for (const part of parts) {
    const [ours, theirs] = [await summary(part, from.store), await summary(part, to.store, progress)];
    if (ours.items !== theirs.items || ours.checksum !== theirs.checksum) {
      throw new CopyError(
        `${part.name} differ after the copy: ${ours.items} (${ours.checksum}) in ${from.name}, ` +
          `${theirs.items} (${theirs.checksum}) in ${to.name}. Is the source in use?`,
      );
    }
    copied.push(ours);
  }
  return copied;
}

async function refuseOtherData(
  part: Part<unknown>,
  from: OpenedStore,
  to: OpenedStore,
  progress: Progress,
): Promise<void> {
  let looked = 0;
  for await (const theirs of everything(part, to.store)) {
    const ours = await patiently(() => part.read(from.store, part.key(theirs)));
    if (ours === null || !part.mayReplace(theirs, ours)) {
      throw new CopyError(
        `${to.name} holds other data: ${part.name} "${part.key(theirs)}" is not the same in ${from.name}`,
      );
    }
    looked += 1;
    progress("looking through", part.name, looked);
  }
}

async function copyPart(
  part: Part<unknown>,
  from: WholeStore,
  to: WholeStore,
  progress: Progress,
): Promise<void> {
  let waiting: unknown[] = [];
  let bytes = 0;
  let written = 0;
  const write = async () => {
    const items = waiting;
    waiting = [];
    bytes = 0;
    if (items.length > 0) await patiently(() => part.write(to, items));
    written += items.length;
    progress("copying", part.name, written);
  };
  for await (const item of everything(part, from)) {
    waiting.push(item);
    bytes += sizeOf(item);
    if (waiting.length >= itemsPerStep || bytes >= bytesPerWrite) await write();
  }
  await write();
}

async function summary(part: Part<unknown>, store: WholeStore, progress?: Progress): Promise<CopiedPart> {
  const hash = createHash("sha256");
  let items = 0;
  for await (const item of everything(part, store)) {
    hash.update(`${fingerprintText(item)}\n`);
    items += 1;
    progress?.("verifying", part.name, items);
  }
  return { part: part.name, items, checksum: hash.digest("hex").slice(0, 16) };
}

async function* everything(part: Part<unknown>, store: WholeStore): AsyncGenerator<unknown> {
  for (let after: string | null = null; ; ) {
    const from = after;
    const step = await patiently(() => part.walk(store, from, itemsPerStep));
    yield* step;
    const last = step.at(-1);
    if (last === undefined) return;
    after = part.key(last);
  }
}

function sizeOf(item: unknown): number {
  const { bytes } = item as { bytes?: Uint8Array };
  return 1_024 + (bytes?.length ?? 0);
}
