import { type Logger, pino } from "pino";
import pretty from "pino-pretty";

export type Log = Logger;

/** JSON lines; pretty on a terminal. */
export function openLog(level: string): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  return pino(
    options,
    pretty({ colorize: true, ignore: "hostname,pid", translateTime: "SYS:HH:MM:ss.l", sync: true }),
  );
}
