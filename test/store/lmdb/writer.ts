/**
 * A process that commits until it is killed, for the crash test. Prints the number of each commit once it has
 * resolved. Commit `n` makes code `n` with its image and archives code `n - 1`: two documents that must change
 * together, and index entries that must move.
 */
import { writeSync } from "node:fs";
import { assertDocument } from "../../../src/schema/validators.ts";
import { openLmdbStore } from "../../../src/store/lmdb/lmdb-store.ts";
import {
  numbered,
  putCode,
  putFile,
  sampleCode,
  sampleFile,
  sampleRender,
  savedCount,
} from "../../fakes/sample-documents.ts";

const [path, first] = process.argv.slice(2);
const writersAtOnce = 4;
const store = await openLmdbStore({ path: path!, assertDocument });
let next = Number(first);

async function write(): Promise<void> {
  for (;;) {
    const n = next;
    next += 2;
    const [older, newer] = [numbered("qr", n), numbered("qr", n + 1)];
    await store.commit([
      putCode(sampleCode({ id: older, status: "active", render: sampleRender("pending") })),
      putFile(sampleFile({ id: `${older}/a.svg`, bytes: new Uint8Array(n % 9_000) })),
    ]);
    await store.commit([
      putCode(sampleCode({ id: older, status: "archived", label: `moved ${n}` })),
      putCode(sampleCode({ id: newer, render: sampleRender("staging") })),
      { collection: "files", remove: `${older}/a.svg` },
    ]);
    await store.saveScans([savedCount("counted", n)]);
    writeSync(1, `${n}\n`);
  }
}

await Promise.all(Array.from({ length: writersAtOnce }, write));
