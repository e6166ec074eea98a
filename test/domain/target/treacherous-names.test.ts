/** Names of the public DNS behind which there is, or can be, a private address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/domain/errors.ts";
import { emptyBlockList, parseBlockList } from "../../../src/domain/target/block-list.ts";
import { checkUrl, isUnsafe, ownHosts, type UrlPolicy } from "../../../src/domain/target/url-safety.ts";

const policy: UrlPolicy = { ownHosts: ownHosts([]), blockList: emptyBlockList };

function isRefused(host: string, by = policy): boolean {
  try {
    checkUrl("redirect_url", `https://${host}/`, by);
    return false;
  } catch (refusal) {
    assert.ok(refusal instanceof ApiError && refusal.code === "unsafe_url", String(refusal));
    return true;
  }
}

const refused = [
  "metadata.goog",
  "metadata.google.internal",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "api.metadata.cloud.ibm.com",
  "nip.io",
  "127.0.0.1.nip.io",
  "app.10-0-0-1.nip.io",
  "169-254-169-254.sslip.io",
  "10.0.0.1.xip.io",
  "localtest.me",
  "shop.localtest.me",
  "lvh.me",
  "a.b.c.lvh.me",
  "traefik.me",
  "vcap.me",
  "lacolhost.com",
  "7f000001.c0a80001.rbndr.us",
];

for (const host of refused) {
  test(`${host} is refused in every spelling, and found by a re-scan`, () => {
    for (const spelling of [host, host.toUpperCase(), `${host}.`, `${host}:8443`]) {
      assert.ok(isRefused(spelling), spelling);
    }
    assert.notEqual(isUnsafe(`https://${host}/`, policy), null);
  });
}

test("names that only resemble them are not", () => {
  for (const host of [
    "snip.io",
    "nip.io.example.com",
    "goog.com",
    "packet.net",
    "tencentyun.com",
    "alvh.me",
  ]) {
    assert.ok(!isRefused(host), host);
  }
});

test("the block list adds to them", () => {
  const more = { ...policy, blockList: parseBlockList("any-address.example.com") };
  assert.ok(!isRefused("10.0.0.1.any-address.example.com"));
  assert.ok(isRefused("app.any-address.example.com", more));
  assert.ok(isRefused("10.0.0.1.nip.io", more));
});
