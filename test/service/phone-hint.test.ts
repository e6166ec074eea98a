/** A first code is mostly scanned with a phone, and `localhost` is then the phone. */
import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import { test } from "node:test";
import { phoneHint } from "../../src/service/phone-hint.ts";
import { temporaryFolder } from "../support/endings.ts";
import { spawnService } from "../support/process.ts";

const at = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo;
const machine = {
  lo: [at("127.0.0.1", true), at("::1", true)],
  eth0: [at("192.168.1.20"), at("fe80::1"), at("2001:db8::20")],
  wlan0: [at("169.254.3.4"), at("10.1.2.3")],
};

test("links to this machine are told, with commands to copy for each of its addresses", () => {
  for (const url of [
    "http://localhost:3000",
    "http://qr.localhost:3000",
    "http://127.0.0.1:3000",
    "http://127.9.9.9",
    "http://[::1]:3000",
  ]) {
    const hint = phoneHint(url, "127.0.0.1", 3000, machine, "npm start");
    assert.ok(hint.includes(`lead to ${url}, which a phone cannot open`), hint);
    assert.deepEqual(hint.match(/\S.*npm start$/gm), [
      "HOST=0.0.0.0 PUBLIC_URL=http://192.168.1.20:3000 npm start",
      "HOST=0.0.0.0 PUBLIC_URL=http://10.1.2.3:3000 npm start",
    ]);
  }
});

test("the commands keep what is set already", () => {
  const hint = phoneHint(
    "http://localhost:8080",
    "0.0.0.0",
    8080,
    { eth0: [at("192.168.1.20")] },
    "npm start",
  );
  assert.match(hint, /^ +PORT=8080 PUBLIC_URL=http:\/\/192\.168\.1\.20:8080 npm start$/m);
  const v6 = phoneHint(
    "http://localhost:3000",
    "localhost",
    3000,
    { eth0: [at("2001:db8::20")] },
    "npm start",
  );
  assert.match(v6, /^ +HOST=:: PUBLIC_URL=http:\/\/\[2001:db8::20\]:3000 npm start$/m);
});

test("without a network it says what to set", () => {
  const hint = phoneHint("http://localhost:3000", "127.0.0.1", 3000, { lo: machine.lo }, "npm start");
  assert.match(hint, /PUBLIC_URL, and HOST, set to an address that phones can reach/);
});

test("nothing is said of links that lead elsewhere", () => {
  for (const url of ["https://qr.example.com", "http://192.168.1.20:3000", "http://localhost.example.com"]) {
    assert.equal(phoneHint(url, "127.0.0.1", 3000, machine, "npm start"), "");
  }
});

test("the start text has it, before the line that says that the service listens", {
  timeout: 60_000,
}, async () => {
  const directory = temporaryFolder();
  const start = async (env: Record<string, string>) => {
    const service = spawnService({ PORT: "0", DATA_DIR: directory, ...env });
    await service.ready();
    service.child.kill("SIGTERM");
    await service.exited;
    return service.output();
  };
  const output = await start({});
  assert.match(output, /^ +HOST=\S+ (PORT=\d+ )?PUBLIC_URL=\S+ qrelay start$|and HOST, set to an address/m);
  assert.match(
    output,
    /lead to http:\/\/localhost:\d+, which a phone cannot open[\s\S]+^qrelay listening on/m,
  );
  assert.doesNotMatch(await start({ PUBLIC_URL: "https://qr.example.com" }), /phone/);
});
