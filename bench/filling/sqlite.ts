/**
 * better-sqlite3, where somebody has installed it. It is compiled or downloaded when it is installed, which nobody who
 * only wants to run the service should have to wait for, so it is no dependency of the project.
 */
import { createRequire } from "node:module";

export interface Sqlite {
  pragma(text: string): unknown;
  exec(text: string): unknown;
  prepare(text: string): { run(...values: unknown[]): unknown; get(...values: unknown[]): unknown };
}

const packageName = "better-sqlite3";
const require = createRequire(import.meta.url);

/** Why it is not there, with what to do; null where it is. */
export function sqliteMissing(): string | null {
  try {
    require(packageName);
    return null;
  } catch {
    return `${packageName} is not installed: npm install --no-save ${packageName}`;
  }
}

export function openSqlite(file: string): Sqlite {
  const Database = require(packageName) as new (path: string) => Sqlite;
  return new Database(file);
}
