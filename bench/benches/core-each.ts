/**
 * Two members on a core each, each loaded from its own core: one of them alone, and both at the same time. On two cores a
 * load takes from the members whatever is done; here it takes the same part of each core. So two do twice as much as one
 * where they do not hold each other up, and what a member does that has a core for itself is not to be seen.
 */
import { type BenchContext, interleaved } from "../bench.ts";
import { findGenerator } from "../load/load.ts";
import type { LoadRequest } from "../load/requests.ts";
import { visitAll } from "../load/visit.ts";
import type { StartMembers } from "../members.ts";
import { type MembersSlice, membersFigures, membersSlice, untilServed } from "../members-slice.ts";
import type { Core } from "../processes.ts";
import type { Slices } from "../report/compare.ts";
import type { Figure } from "../report/figures.ts";

const warmSeconds = 1;

interface About {
  bench: string;
  engine: string;
  start: StartMembers;
  scans: readonly LoadRequest[];
}

export async function onACoreEach(
  { bench, engine, start, scans }: About,
  context: BenchContext,
): Promise<Figure[]> {
  const { options, cores, note, progress } = context;
  const own: [Core, Core] = [cores.server, cores.load];
  const loads = await Promise.all(own.map((core) => findGenerator(core).prepare(scans)));
  const connections = options.connections[0]!;
  const rounds: Slices<MembersSlice>[] = [];
  progress.begin("a core each", options.rounds);
  for (let round = 0; round < options.rounds; round++) {
    const { all, stop } = await start(2, own);
    const slice = (count: number, seconds: number) => {
      const loaded = all.slice(0, count);
      const by = loaded.map(({ url }, at) => ({ url, load: loads[at]! }));
      return membersSlice(by, loaded, connections, seconds, note);
    };
    for (const { url } of all) await untilServed(note, () => visitAll(url, scans));
    await slice(2, warmSeconds);
    rounds.push(
      await interleaved(context, {
        reference: () => slice(1, options.seconds),
        variant: () => slice(2, options.seconds),
      }),
    );
    await stop();
    progress.step();
  }
  progress.end();
  await Promise.all(loads.map((load) => load.remove()));
  note(
    `${bench}: of two members on a core each, both shared their core with their load, and one with MongoDB as well: ` +
      "it is to be seen that they do not hold each other up, and not what each does with a core for itself",
  );
  const name = `redirects of two members on a core each, ${connections} connections each, ${engine}`;
  return membersFigures(bench, name, rounds, "one of them");
}
