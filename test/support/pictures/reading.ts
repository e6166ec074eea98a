/** Makes pictures, spoils them, has every installed reader read them, and counts. */
import { type Distortion, distort, type GreyPixels } from "./distortions.ts";
import { isInstalled, type Reader, read, readers } from "./readers.ts";
import { type Case, contents, nameOfCase, picture, plainOf } from "./reading-matrix.ts";

export const installed = readers.filter(isInstalled);

/** Pictures held in memory at a time, a megabyte each at most. */
const batchSize = 48;

/** The names of the cases that each reader reads, and of those it was given. */
export interface Readings {
  given: Set<string>;
  read: Map<Reader, Set<string>>;
}

export async function readAll(cases: readonly Case[], distortion: Distortion | null): Promise<Readings> {
  const readings: Readings = {
    given: new Set(),
    read: new Map(installed.map((reader) => [reader, new Set()])),
  };
  for (let from = 0; from < cases.length; from += batchSize) {
    const batch: Case[] = [];
    const pictures: GreyPixels[] = [];
    for (const one of cases.slice(from, from + batchSize)) {
      const made = await picture(one);
      const arrived = distortion === null ? made : await distort(made, distortion, one.module);
      if (arrived === null) continue;
      batch.push(one);
      pictures.push(arrived);
      readings.given.add(nameOfCase(one));
    }
    for (const reader of installed) {
      for (const [at, text] of (await read(reader, pictures)).entries()) {
        if (text === contents[batch[at]!.content]) readings.read.get(reader)!.add(nameOfCase(batch[at]!));
      }
    }
  }
  return readings;
}

export interface Score {
  /** Cases in which the reader reads the plain picture of the same content: it could be read. */
  counted: number;
  /** Of them, those that were not read. */
  missed: string[];
}

/** What a reader misses of `cases` where it does read the plain picture; `readings` holds both. */
export function score(cases: readonly Case[], { given, read }: Readings, reader: Reader): Score {
  const seen = read.get(reader)!;
  const readable = cases.filter((one) => given.has(nameOfCase(one)) && seen.has(nameOfCase(plainOf(one))));
  const missed = readable.map(nameOfCase).filter((name) => !seen.has(name));
  return { counted: readable.length, missed };
}
