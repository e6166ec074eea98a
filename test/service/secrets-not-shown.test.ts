/** A secret that is refused is still a secret: whatever is wrong with it, no message holds any part of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, readConfig } from "../../src/config.ts";
import { connect } from "../../src/store/mongo/client.ts";
import { isMongoUrl, withoutCredentialsOf, withoutUserInfo } from "../../src/store/mongo/url.ts";

const parts = ["s3cr", "3tpw"];

function assertSilent(said: string): void {
  for (const part of parts) assert.ok(!said.toLowerCase().includes(part), said);
}

const refused: [name: string, value: string][] = [
  ["ADMIN_TOKEN", "s3cr3tpw"],
  ["ADMIN_TOKEN", "s3cr 3tpw and more than sixteen"],
  ["METRICS_TOKEN", "s3cr3tpw"],
  ["MONGODB_URL", "mongodb://me:s3cr3tpw"],
  ["MONGODB_URL", "mongodb://me:s3cr3tpw@"],
  ["MONGODB_URL", "mongodb://me:s3cr@3tpw@db.example.com/qrelay"],
  ["MONGODB_URL", "mongodb://me:s3cr/3tpw@db.example.com/qrelay"],
  ["MONGODB_URL", "mongodb://me:s3cr?3tpw@db.example.com/qrelay"],
  ["MONGODB_URL", "mongodb://me:s3cr#3tpw@db.example.com/qrelay"],
  ["MONGODB_URL", "mongodb://me:s3cr 3tpw@db.example.com/qrelay"],
  ["MONGODB_URL", "mongodb:me:s3cr3tpw@db.example.com"],
  ["MONGODB_URL", "mongo://me:s3cr/3tpw@db.example.com"],
  ["SAFETY_CHECK_KEY", "s3cr\n3tpw"],
  ["SAFETY_CHECK_KEY", "s3cr3tpw…"],
  ["SAFETY_CHECK_URL", "risk.example.com?key=s3cr3tpw"],
  ["SAFETY_CHECK_URL", "https://me:s3cr3tpw@risk.example.com/"],
  ["PUBLIC_URL", "https://me:s3cr/3tpw@qr.example.com"],
  ["HOST", "me:s3cr3tpw@host"],
];

for (const [name, value] of refused) {
  test(`${name}=${JSON.stringify(value)} is refused without a word of it`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (cause) => {
        assert.ok(cause instanceof ConfigError);
        assert.ok(cause.message.startsWith(name), cause.message);
        assertSilent(`${cause.message}${cause.stack}`);
        return true;
      },
    );
  });
}

test("usable URLs of MongoDB stay usable", () => {
  for (const url of [
    "mongodb://db",
    "mongodb://db:27017/x",
    "mongodb://me:p%40ss%2Fw:rd@a.example.com:1,b.example.com:2/q?replicaSet=rs0&authSource=admin",
    "mongodb+srv://me@db.example.com/?retryWrites=true",
    "mongodb://[::1]:27017/q",
    "mongodb://db?replicaSet=rs0",
  ]) {
    assert.ok(isMongoUrl(url), url);
  }
});

test("a failed connection tells neither the password nor a part of it", async () => {
  for (const url of [
    "mongodb://me:s3cr3tpw@",
    "mongodb://me:s3cr3tpw@127.0.0.1:1/db",
    "mongodb://me:s3cr@3tpw@127.0.0.1:1/db",
    "mongodb://me:s3cr3tpw",
    "mongodb://me:s3cr3tpw@127.0.0.1:1/db?authMechanism=s3cr3tpw",
  ]) {
    await assert.rejects(connect(url), (error: Error) => {
      assertSilent(`${error.message}${error.stack}`);
      return true;
    });
  }
});

test("credentials are taken out of what others say", () => {
  assert.equal(withoutUserInfo("at mongodb://me:s3cr/3tpw@host/db"), "at mongodb://…@host/db");
  const url = "mongodb://me:s3cr%2F3tpw@host/db";
  assertSilent(withoutCredentialsOf(url, "no me:s3cr%2F3tpw, s3cr%2F3tpw, s3cr/3tpw"));
  assert.equal(withoutCredentialsOf("mongodb://host/db", "as it is"), "as it is");
});
