/** The help of every command, made from its declaration: each with all its options on one line, as it is typed. */
import { styleText } from "node:util";
import type { Command, Help } from "commander";

export interface ListedCommand {
  words: string[];
  /** Names of what follows the words. */
  takes: string[];
  /** As they are typed: `--plan PLAN`. */
  options: string[];
  about: string;
}

/** What is typed before the words of a command. */
function programOf(command: Command): string {
  return pathOf(command).slice(0, programLength(command)).join(" ");
}

export function wordsOf(command: Command): string[] {
  return pathOf(command).slice(programLength(command));
}

function programLength(command: Command): number {
  return pathOf(command)[1] === "admin" ? 2 : 1;
}

function pathOf(command: Command): string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()];
}

export function takenBy(command: Command): string[] {
  return command.registeredArguments.map((argument) => argument.name());
}

export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** The command itself or those in its groups; a group of groups has a help of its own. */
export function listed(command: Command): ListedCommand[] {
  if (command.commands.length === 0) return [asListed(command)];
  return command.commands.flatMap((each) =>
    each.commands.some(({ commands }) => commands.length > 0)
      ? { words: [each.name()], takes: ["COMMAND"], options: [], about: each.description() }
      : listed(each),
  );
}

function asListed(command: Command): ListedCommand {
  return {
    words: wordsOf(command),
    takes: takenBy(command),
    options: command.options.map(({ flags }) => asTyped(flags)),
    about: command.description(),
  };
}

const asTyped = (flags: string) => flags.replaceAll(/[<>]/g, "");
/** Left out again where the output is no terminal. */
const bold = (text: string) => styleText("bold", text);

export function formatHelp(command: Command, helper: Help): string {
  const commands = listed(command).flatMap(({ words, takes, options, about }) => [
    `  ${[bold(words.join(" ")), ...takes, ...options.map((option) => `[${option}]`)].join(" ")}`,
    `      ${about}`,
  ]);
  const options = new Map(
    [...helper.visibleOptions(command), ...helper.visibleGlobalOptions(command)]
      .filter(({ long }) => long !== "--version" || command.parent === null)
      .map(({ flags, description }) => [asTyped(flags.replace("-h, ", "")), description]),
  );
  const width = Math.max(...[...options.keys()].map((flags) => flags.length));
  return [
    `${bold("Usage:")} ${programOf(command)} COMMAND`,
    "",
    ...commands,
    "",
    ...[...options].map(([flags, about]) => `  ${flags.padEnd(width)}  ${about}`),
    "",
  ].join("\n");
}
