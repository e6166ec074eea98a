import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { limitConnections } from "../../src/door/connection-limit.ts";
import { testEngine } from "../support/engine.ts";

const most = 3;
const app = testEngine.createApp();
const connections = limitConnections(app, most);
app.get("/*", (res) => {
  res.end("ok");
});
const listening = await testEngine.listen(app, "127.0.0.1", 0);
const { port } = listening;
after(() => {
  listening.close();
  app.close();
});

async function open(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  socket.write("GET / HTTP/1.1\r\nhost: test\r\n\r\n");
  const [data] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => ["closed"])]);
  return String(data).split("\r\n")[0]!;
}

test("connections up to the limit are served, further ones are closed, and room comes back", async () => {
  const served: Socket[] = [];
  for (let n = 0; n < most; n++) served.push(await open());
  for (const socket of served) assert.equal(await answerOf(socket), "HTTP/1.1 200 OK");
  assert.equal(await answerOf(await open()), "closed");
  assert.equal(await answerOf(await open()), "closed");
  assert.equal(connections.open, most);
  for (const socket of served) assert.equal(await answerOf(socket), "HTTP/1.1 200 OK");

  served.pop()!.destroy();
  while (connections.open === most) await new Promise((resolve) => setImmediate(resolve));
  served.push(await open());
  assert.equal(await answerOf(served.at(-1)!), "HTTP/1.1 200 OK");
  for (const socket of served) socket.destroy();
});
