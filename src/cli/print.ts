import type { Json } from "./admin-client.ts";

/** A table for a list, one line a field for a single thing. */
export function print(result: Json | Json[], asJson: boolean): void {
  if (asJson) console.log(JSON.stringify(result, null, 2));
  else if (Array.isArray(result)) console.log(table(result));
  else console.log(fields(result));
}

export function table(rows: Json[]): string {
  if (rows.length === 0) return "nothing there";
  const columns = Object.keys(rows[0]!).filter((column) => !isNested(rows[0]![column]));
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const spaced = (line: string[]) => line.map((text, at) => text.padEnd(widths[at]!)).join("  ");
  return lines.map((line) => spaced(line).trimEnd()).join("\n");
}

function fields(thing: Json, indent = ""): string {
  const width = Math.max(0, ...Object.keys(thing).map((name) => name.length));
  return Object.entries(thing)
    .map(([name, value]) =>
      isNested(value)
        ? `${indent}${name}\n${fields(value as Json, `${indent}  `)}`.trimEnd()
        : `${indent}${name.padEnd(width)}  ${cell(value)}`,
    )
    .join("\n");
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function cell(value: unknown): string {
  return value === null ? "-" : String(value);
}
