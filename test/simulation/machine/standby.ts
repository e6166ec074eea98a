/** The machine that does not serve: now and then it is started, hands its journal over to the owner, and may die at it. */
import { journalDirectory, recoverJournal } from "../../../src/scan/journal/recovery.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import type { StoreClient } from "../simulated-store.ts";
import type { World } from "../world.ts";

const silent = { info() {}, error() {} };

export async function standbyDriver(world: World, isOver: () => boolean): Promise<void> {
  if (world.settings.machines < 2) return;
  const random = world.random.fork();
  while (!isOver()) {
    await world.loop.sleep(random.between(500, 8_000));
    const effects = random.chance(0.3) ? random.between(1, 6) : Number.POSITIVE_INFINITY;
    if (world.process !== null) await handOver(world, effects);
  }
}

/** Dies after so many effects on the disk or the store. */
export async function handOver(world: World, effects = Number.POSITIVE_INFINITY): Promise<void> {
  if (world.settings.machines < 2 || world.process === null) return;
  const machine = 1 - world.process.machine;
  const { promise: death, die } = mortality();
  let left = effects;
  const standby: StoreClient & { isAlive: boolean } = {
    isAlive: true,
    isStale: false,
    epoch: 0,
    effect() {
      if (--left > 0 || !standby.isAlive) return;
      standby.isAlive = false;
      die();
    },
  };
  const { store, died } = world.store.openFor(standby, world.faults, true);
  const disk = world.disks[machine]!.openFor(standby, world.faults);
  const now = world.loop.now();
  const run = recoverJournal({ disk, directory: journalDirectory("/data"), now, log: silent }, store);
  world.trace(`machine ${machine} stands by`);
  world.handingOver = Promise.race([run, death]).catch((cause) => {
    if (!(cause instanceof StoreUnavailable)) world.failed(cause);
  });
  await world.handingOver;
  if (!standby.isAlive) died();
  standby.isAlive = false;
}

function mortality(): { promise: Promise<void>; die(): void } {
  let die = () => {};
  const promise = new Promise<void>((resolve) => {
    die = resolve;
  });
  return { promise, die };
}
