import type { Command } from "commander";
import { print } from "../print.ts";

export function declareStore(program: Command): void {
  program
    .command("store")
    .option("--json", "print JSON instead of a table")
    .command("copy")
    .description("copy everything to another store: lmdb:DATA_DIR or mongodb://…; stop the service first")
    .option("--from <STORE>", "what is copied")
    .option("--to <STORE>", "where it goes: an empty store, or one that such a copy was cut short in")
    .action(async function (this: Command) {
      const { from, to, json } = this.optsWithGlobals<{ from?: string; to?: string; json?: boolean }>();
      const { storeCopy } = await import("./store-copy.ts");
      print(await storeCopy(from, to), json === true);
    });
}
