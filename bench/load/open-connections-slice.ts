/**
 * One slice of load on connections that are all open and answered before the clock starts. Prints what `wrk.lua` prints.
 *
 * `node:http` takes in one new connection a turn of its loop, and wrk opens all of them at once and fills in what
 * it could not ask meanwhile: its 99th percentile of such a server is the wait to be taken in, of any server alike.
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { isWhole } from "./whole-answer.ts";

const [file, url, connectionsText, secondsText] = process.argv.slice(2) as [string, string, string, string];
const requests = readFileSync(file, "latin1")
  .split("\0")
  .filter((text) => text !== "")
  .map((text) => Buffer.from(text, "latin1"));
const connections = Number(connectionsText);
const seconds = Number(secondsText);
const answersBefore = 20;

let at = 0;
let ready = 0;
let refused = 0;
let failed = 0;
let measuring = false;
const times: number[] = [];

for (let index = 0; index < connections; index++) open();

function open(): void {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let answers = 0;
  let sent = 0;
  let received = "";
  const ask = () => {
    sent = performance.now();
    socket.write(requests[at++ % requests.length]!);
  };
  socket.on("connect", ask);
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    if (!isWhole(received)) return;
    if (measuring) note(performance.now() - sent, received);
    received = "";
    if (++answers === answersBefore && ++ready === connections) begin();
    ask();
  });
  const fail = () => {
    failed++;
  };
  socket.on("error", fail);
  socket.on("end", fail);
}

function note(milliseconds: number, answer: string): void {
  times.push(milliseconds);
  if (!answer.startsWith("HTTP/1.1 3")) refused++;
}

function begin(): void {
  measuring = true;
  setTimeout(() => {
    times.sort((one, other) => one - other);
    const percentile = (part: number) => times[Math.floor(times.length * part)];
    const figures = {
      requests: times.length,
      seconds,
      p50: percentile(0.5),
      p99: percentile(0.99),
      refused,
      failed,
    };
    console.log(`figures ${JSON.stringify(figures)}`);
    process.exit();
  }, seconds * 1_000);
}
