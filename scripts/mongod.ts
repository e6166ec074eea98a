/** Gets a MongoDB server to test with, where there is none: `tsx scripts/mongod.ts`. */
import { findMongod, installMongodForWine } from "../test/support/mongod-binary.ts";

const found = await findMongod();
if (found) console.log(`already there: ${found.origin}`);
else await installMongodForWine((line) => console.log(line));
