/** What the images of content say: the forms that phones know, letter by letter, and what is refused with which field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ContentError,
  type ContentType,
  contentTypes,
  encodeContent,
  nameOfContent,
} from "../../../src/domain/content/content.ts";
import { contentSamples } from "../../golden/content-samples.ts";

const withoutUid = (text: string) => text.replace(/UID:(\w+)-[0-9a-f]+@/, "UID:$1-…@");

for (const type of contentTypes) {
  test(`${type}: what the image says, and what it is called`, () => {
    for (const [content, text, name] of contentSamples[type]) {
      assert.equal(withoutUid(encodeContent(type, content)), withoutUid(text));
      assert.equal(nameOfContent(type, content), name);
      assert.equal(encodeContent(type, content), encodeContent(type, { ...content }));
    }
  });
}

const refused: [ContentType, object, field: string, problem: RegExp][] = [
  ["contact", {}, "first_name", /required/],
  ["contact", { first_name: 7 }, "first_name", /text/],
  ["contact", { first_name: "a\nb" }, "first_name", /one line/],
  ["contact", { first_name: "a", phones: [{ number: "call me" }] }, "phones[0].number", /phone number/],
  ["contact", { first_name: "a", phones: [{ number: "123", kind: "fax" }] }, "phones[0].kind", /one of/],
  ["contact", { first_name: "a", phones: "123" }, "phones", /list/],
  ["contact", { first_name: "a", phones: Array(5).fill({ number: "123" }) }, "phones", /at most 4/],
  ["contact", { first_name: "a", emails: ["a@b.c", "nobody"] }, "emails[1]", /e-mail/],
  ["contact", { first_name: "a", website: "javascript:alert(1)" }, "website", /https/],
  ["contact", { first_name: "a", note: "x".repeat(501) }, "note", /at most 500/],
  ["contact", { first_name: "\ud800" }, "first_name", /surrogate/],
  ["wifi", { security: "WPA", password: "12345678" }, "ssid", /required/],
  ["wifi", { ssid: "x".repeat(33), security: "nopass" }, "ssid", /32 bytes/],
  ["wifi", { ssid: "é".repeat(17), security: "nopass" }, "ssid", /32 bytes/],
  ["wifi", { ssid: "a" }, "security", /required/],
  ["wifi", { ssid: "a", security: "wpa" }, "security", /one of WPA/],
  ["wifi", { ssid: "a", security: "WPA" }, "password", /required/],
  ["wifi", { ssid: "a", security: "WPA", password: "short" }, "password", /8 to 63/],
  ["wifi", { ssid: "a", security: "nopass", hidden: "yes" }, "hidden", /true or false/],
  ["email", { to: "nobody" }, "to", /e-mail/],
  ["email", { to: "a@b.c", subject: "a\r\nBcc: x@y.z" }, "subject", /one line/],
  ["phone", {}, "number", /required/],
  ["phone", { number: "1" }, "number", /phone number/],
  ["sms", { number: "123", message: 5 }, "message", /text/],
  ["place", { latitude: 91, longitude: 0 }, "latitude", /-90 to 90/],
  ["place", { latitude: 0, longitude: Number.NaN }, "longitude", /-180 to 180/],
  ["place", { latitude: "0", longitude: 0 }, "latitude", /number/],
  ["event", { start: "2030-01-01T00:00Z" }, "title", /required/],
  ["event", { title: "x", start: "2030-01-01T00:00" }, "start", /zone/],
  ["event", { title: "x", start: "2030-02-30T00:00Z" }, "start", /zone/],
  ["event", { title: "x", start: "2030-02-30", all_day: true }, "start", /a day/],
  ["event", { title: "x", start: "2030-01-02T00:00Z", end: "2030-01-02T00:00Z" }, "end", /after start/],
  ["event", { title: "x", start: "2030-01-02", end: "2030-01-01", all_day: true }, "end", /before start/],
];

for (const [type, content, field, problem] of refused) {
  test(`${type}: ${JSON.stringify(content).slice(0, 60)} is refused by its ${field}`, () => {
    assert.throws(
      () => encodeContent(type, content),
      (cause) => {
        assert.ok(cause instanceof ContentError);
        assert.equal(cause.field, field);
        assert.match(cause.problem, problem);
        return true;
      },
    );
  });
}
