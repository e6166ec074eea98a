/** Puts scans down until it is told no more, and is killed without having written any. */
import { keyOfWords } from "../../../src/link/slug.ts";
import { realDisk } from "../../../src/scan/journal/disk.ts";
import { Journal } from "../../../src/scan/journal/journal.ts";

const [directory = "", scans = "0"] = process.argv.slice(2);
const journal = new Journal({
  ...{ disk: realDisk, directory, epoch: 0, recordsMax: 1, putDownMax: 50 },
  ...{ segmentBytesMax: 4_096, journalBytesMax: 4_096, sparesMax: 0, isTakenBack: () => false },
});
journal.hour = 497_000;
for (let count = 1; count <= Number(scans); count++) journal.putDown(keyOfWords(3, 4), count, 7);
process.kill(process.pid, "SIGKILL");
