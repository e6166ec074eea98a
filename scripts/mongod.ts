/** Gets a MongoDB server for the tests where there is none: `tsx scripts/mongod.ts install`. */
import { findMongod, installMongodForWine, runsUnderWine } from "../test/support/mongod-binary.ts";

const usage = `usage: npx tsx scripts/mongod.ts install

Installs a MongoDB server for the tests into the user's cache, with Wine by apt-get to run it; Linux on x64 only.
Does nothing where a server is there already.`;

const [action, ...others] = process.argv.slice(2);
if (action === "install" && others.length === 0) {
  const found = await findMongod();
  if (found) console.log(`already there: ${found.origin}`);
  else if (runsUnderWine) await installMongodForWine((line) => console.log(line));
  else {
    console.error(`this is ${process.platform} on ${process.arch}: the server runs under Wine on Linux, x64`);
    process.exitCode = 1;
  }
} else {
  const isAsked = action === "--help";
  (isAsked ? console.log : console.error)(usage);
  process.exitCode = isAsked ? 0 : 2;
}
