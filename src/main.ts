#!/usr/bin/env node
/** `qrelay`: the service and its operator's commands are one program. */
import { run } from "./cli/command-line.ts";

await run(process.argv.slice(2));
