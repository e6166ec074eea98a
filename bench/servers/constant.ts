/** What a bare server answers to calls of the API: the bytes and the status of a real answer. */
import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";

export const target = "https://shop.example.com/00000";
export const answer =
  process.env.BENCH_ANSWER === undefined ? Buffer.alloc(0) : readFileSync(process.env.BENCH_ANSWER);
export const status = Number(process.env.BENCH_STATUS ?? 200);
export const statusLine = `${status} ${STATUS_CODES[status]}`;
