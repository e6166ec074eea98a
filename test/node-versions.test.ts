import assert from "node:assert/strict";
import { test } from "node:test";
import manifest from "../package.json" with { type: "json" };
import { App, packageForNode, us_listen_socket_close, us_socket_local_port } from "../src/uws.ts";

const supported = ["20.19.0", "22.12.0", "24.1.0", "26.0.0"];

test("every supported Node has a build among the dependencies", () => {
  const dependencies: Record<string, string> = manifest.dependencies;
  for (const version of supported) {
    const name = packageForNode(version);
    assert.match(dependencies[name] ?? "", /^npm:@uwsjs\/core@\d/, `Node ${version} needs ${name}`);
  }
});

test("another Node is refused with the ones that are supported", () => {
  for (const version of ["18.20.0", "21.0.0", "23.4.0", "25.0.0"]) {
    assert.throws(() => packageForNode(version), {
      message: `Node.js ${version} is not supported: use 20, 22, 24, 26`,
    });
  }
});

test("the build for this Node serves a request", async () => {
  const app = App();
  app.get("/*", (res) => {
    res.end("served");
  });
  const answer = await new Promise<string>((resolve, reject) => {
    app.listen("127.0.0.1", 0, (socket) => {
      if (!socket) return reject(new Error("cannot listen"));
      fetch(`http://127.0.0.1:${us_socket_local_port(socket)}/`)
        .then((response) => response.text())
        .then(resolve, reject)
        .finally(() => {
          us_listen_socket_close(socket);
          app.close();
        });
    });
  });
  assert.equal(answer, "served");
});

test("a head of up to 16 KiB is read, a larger one refused", async () => {
  const app = App();
  app.get("/*", (res) => {
    res.end("served");
  });
  const statuses = await new Promise<number[]>((resolve, reject) => {
    app.listen("127.0.0.1", 0, (socket) => {
      if (!socket) return reject(new Error("cannot listen"));
      const url = `http://127.0.0.1:${us_socket_local_port(socket)}/`;
      const status = async (chars: number) =>
        (await fetch(url, { headers: { "x-long": "x".repeat(chars) } })).status;
      Promise.all([status(12_000), status(20_000)])
        .then(resolve, reject)
        .finally(() => {
          us_listen_socket_close(socket);
          app.close();
        });
    });
  });
  assert.deepEqual(statuses, [200, 431]);
});
