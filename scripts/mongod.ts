/** Gets a MongoDB server for the tests where there is none: `tsx scripts/mongod.ts install`. */
import { findMongod, installMongodForWine, runsUnderWine } from "../test/support/mongod/mongod-binary.ts";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";

const usage = `usage: npx tsx scripts/mongod.ts install

Installs a MongoDB server for the tests into the user's cache, with Wine by apt-get to run it; Linux on x64 only.
Does nothing where a server is there already.`;

const { positionals } = readCommandLine("mongod", usage, { allowPositionals: true });
if (positionals.join(" ") !== "install") refuseCommandLine("mongod", "say install");
const found = await findMongod();
if (found) console.log(`already there: ${found.origin}`);
else if (runsUnderWine) await installMongodForWine((line) => console.log(line));
else {
  console.error(`this is ${process.platform} on ${process.arch}: the server runs under Wine on Linux, x64`);
  process.exitCode = 1;
}
