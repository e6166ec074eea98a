import { SimulationFailure } from "./checks/ledger.ts";
import type { CrashKind } from "./faults.ts";
import type { World } from "./world.ts";

/** Lets the process die now and then, or stop in order, and starts it again. */
export async function crashDriver(world: World, isOver: () => boolean): Promise<void> {
  const { loop, faults } = world;
  const random = world.random.fork();
  const stops = random.below(2);
  const ends = [
    ...Array.from({ length: faults.weather.crashes }, () => "crash" as const),
    ...Array.from({ length: stops }, () => "stop" as const),
  ];
  for (const end of ends) {
    await loop.sleep(random.between(500, 12_000));
    if (isOver()) return;
    if (world.process === null) await world.start();
    const process = world.process!;
    if (end === "stop") {
      await stopInOrder(world);
    } else {
      const crash = (kind: CrashKind) => world.crash(kind);
      // Right behind the answer to a scan is where most can be lost, and with the power what was not synced.
      if (random.chance(0.4)) {
        const isSynced = world.settings.sync === "always" && random.chance(0.5);
        const kind = isSynced ? "power cut" : faults.crashKind();
        process.arm(random.between(1, 3), kind, crash, "scan answer");
      } else process.arm(random.between(1, 60), faults.crashKind(), crash);
      // In a quiet world there may be no further effect.
      for (let waited = 0; world.process === process && waited < 5_000; waited += 100) await loop.sleep(100);
      if (world.process === process) world.crash(faults.crashKind());
    }
    await loop.sleep(random.pick([0, 50, 3_000]));
    await world.start();
  }
}

/** A stop that cannot save everything ends like a crash: the journal has what the store has not. */
export async function stopInOrder(world: World): Promise<void> {
  const process = world.process!;
  world.trace("stop");
  world.process = null;
  try {
    await process.stop();
  } catch (cause) {
    if (cause instanceof SimulationFailure) throw cause;
    world.trace(`stop failed: ${(cause as Error).message}`);
    world.process = process;
    world.crash("kill");
    return;
  }
  for (const code of world.ledger.codes.values()) code.scans.saved();
}
