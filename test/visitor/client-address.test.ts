import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  clientAddress,
  noTrustedProxies,
  parseTrustedProxies,
  plainAddress,
} from "../../src/visitor/client-address.ts";

const proxies = parseTrustedProxies("10.0.0.0/8, 192.0.2.1,2001:db8::/32, ::1");

const cases: [name: string, peer: string, forwardedFor: string, client: string][] = [
  ["no header", "10.0.0.1", "", "10.0.0.1"],
  ["an untrusted peer is not believed", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["a trusted peer is", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["the rightmost untrusted one counts", "10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
  ["through several proxies", "10.0.0.1", "1.1.1.1, 198.51.100.1, 10.9.9.9,192.0.2.1", "198.51.100.1"],
  ["all of them trusted: the first", "10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"],
  ["garbage ends the walk", "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
  ["garbage behind a proxy", "10.0.0.1", "1.1.1.1, <script>, 10.0.0.2", "10.0.0.2"],
  ["an empty entry ends the walk", "10.0.0.1", "1.1.1.1,", "10.0.0.1"],
  ["only a comma", "10.0.0.1", ",", "10.0.0.1"],
  ["odd spellings of IPv4 are garbage", "10.0.0.1", "0x7f.1", "10.0.0.1"],
  ["with a port", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["IPv6", "2001:db8::5", "2606:4700::1111", "2606:4700::1111"],
  ["IPv6 with brackets and port", "10.0.0.1", "[2606:4700::1111]:443", "2606:4700::1111"],
  ["a mapped peer is IPv4", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["a mapped peer in full", "0000:0000:0000:0000:0000:ffff:0a00:0001", "198.51.100.1", "198.51.100.1"],
  ["a mapped entry is IPv4", "10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
  ["loopback in full", "0000:0000:0000:0000:0000:0000:0000:0001", "198.51.100.1", "198.51.100.1"],
  ["a mapped untrusted peer", "::ffff:203.0.113.9", "1.1.1.1", "203.0.113.9"],
];

for (const [name, peer, forwardedFor, client] of cases) {
  test(name, () => {
    assert.equal(clientAddress(peer, forwardedFor, proxies), client);
  });
}

test("nobody is trusted unless named", () => {
  for (const trusted of [noTrustedProxies, parseTrustedProxies(""), parseTrustedProxies(" , ")]) {
    assert.equal(trusted.isTrusted("127.0.0.1"), false);
    assert.equal(clientAddress("127.0.0.1", "1.1.1.1", trusted), "127.0.0.1");
  }
});

test("ranges end where they end", () => {
  const trusted = parseTrustedProxies("10.1.0.0/16,::ffff:172.16.0.0/108,fd00::/8,0.0.0.0/32");
  for (const inside of [
    "10.1.0.0",
    "10.1.255.255",
    "172.31.255.255",
    "::ffff:10.1.2.3",
    "fd12::1",
    "0.0.0.0",
  ]) {
    assert.equal(trusted.isTrusted(inside), true, inside);
  }
  for (const outside of ["10.0.255.255", "10.2.0.0", "172.32.0.0", "fc00::1", "0.0.0.1", "::", "", "x"]) {
    assert.equal(trusted.isTrusted(outside), false, outside);
  }
  assert.equal(parseTrustedProxies("0.0.0.0/0").isTrusted("203.0.113.9"), true);
});

test("a bad entry is named", () => {
  for (const bad of [
    "loopback",
    "10.0.0.0/33",
    "10.0.0",
    "::1/129",
    "10.0.0.1/",
    "10.0.0.1/-1",
    "::ffff:1.2.3.4/40",
    "a/8",
  ]) {
    assert.throws(
      () => parseTrustedProxies(`10.0.0.1,${bad}`),
      (error: Error) => error.message.includes(`"${bad}"`),
      bad,
    );
  }
});

test("IPv4 in the socket's full spelling comes out as four numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }), (octets) => {
      const hex = octets.map((octet) => octet.toString(16).padStart(2, "0"));
      const full = `0000:0000:0000:0000:0000:ffff:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
      assert.equal(plainAddress(full), octets.join("."));
      assert.equal(plainAddress(octets.join(".")), octets.join("."));
    }),
  );
});

test("a visitor cannot choose the address by what it sends", () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (sent, real) => {
      fc.pre(!proxies.isTrusted(real));
      assert.equal(clientAddress("10.0.0.1", `${sent}, ${real}`, proxies), real);
    }),
  );
});
