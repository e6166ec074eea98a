import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/domain/errors.ts";
import { parsers } from "../../src/schema/validators.ts";
import { scheduleRule } from "../fakes/sample-documents.ts";

type Parse = (body: unknown) => unknown;

function refused(parse: Parse, body: unknown): ApiError {
  try {
    parse(body);
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  assert.fail(`accepted ${JSON.stringify(body)}`);
}

function messages(parse: Parse, table: readonly (readonly [body: unknown, message: string])[]): void {
  for (const [body, message] of table) {
    const error = refused(parse, body);
    assert.deepEqual([error.code, error.message], ["invalid_request", message]);
  }
}

const device = { condition: "device", value: "ios", url: "https://example.com" };
const schedule = scheduleRule(["mon"], "09:00", "17:00", "https://example.com");
const without = (value: object, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([k]) => k !== key));

test("a body that is no object is invalid_payload", () => {
  for (const parse of Object.values<Parse>(parsers)) {
    for (const body of [null, undefined, [], [{ name: "x" }], "text", 5, true]) {
      assert.equal(refused(parse, body).code, "invalid_payload");
    }
  }
});

test("text: the message gives the whole range, whichever end was missed", () => {
  const name = "must be a string of 1 to 200 characters";
  messages(parsers.CreateCodeBody, [
    [{ name: "" }, `name ${name}`],
    [{ name: "x".repeat(201) }, `name ${name}`],
    [{ name: 5 }, `name ${name}`],
    [{ label: [] }, `label ${name}`],
    [{ redirect_url: "x".repeat(2049) }, "redirect_url must be a string of at most 2048 characters"],
    [{ text: "" }, "text must be a string of 1 to 1000 characters"],
    [{ qr_data: { text: 1 } }, "qr_data.text must be a string of 1 to 1000 characters"],
    [{ qr_data: [] }, "qr_data must be an object"],
    [{ name: "\ud800" }, "name must not contain half of a surrogate pair"],
  ]);
  messages(parsers.CreateProjectBody, [
    [{}, "name is required"],
    [{ name: "x", description: "x".repeat(2001) }, "description must be a string of at most 2000 characters"],
    [{ name: "x", set_as_default: "yes" }, "set_as_default must be true or false"],
  ]);
});

test("a character is a code point", () => {
  const emoji = "\u{1f600}";
  assert.doesNotThrow(() => parsers.CreateProjectBody({ name: emoji.repeat(200) }));
  assert.equal(
    refused(parsers.CreateProjectBody, { name: emoji.repeat(201) }).message,
    "name must be a string of 1 to 200 characters",
  );
});

test("values of a list, numbers, null", () => {
  messages(parsers.CreateCodeBody, [
    [{ type: "wifi" }, 'type must be one of "url", "dynamic_url", "text"'],
    [{ scan_limit: 0 }, "scan_limit must be an integer from 1 to 2147483647 or null"],
    [{ scan_limit: 1.5 }, "scan_limit must be an integer from 1 to 2147483647 or null"],
    [{ scan_limit: 2 ** 31 }, "scan_limit must be an integer from 1 to 2147483647 or null"],
    [{ scan_limit: "5" }, "scan_limit must be an integer from 1 to 2147483647 or null"],
    [
      { expires_at: 5 },
      "expires_at must be an ISO 8601 date and time with a zone (like 2030-01-31T12:00:00Z) or null",
    ],
    [{ redirect_rules: {} }, "redirect_rules must be an array or null"],
  ]);
  messages(parsers.UpdateCodeBody, [
    [{ status: "blocked" }, 'status must be one of "active", "archived"'],
    [{ status: null }, 'status must be one of "active", "archived"'],
  ]);
  messages(parsers.UpdateAccountBody, [
    [{ limits: { per_day: -1 } }, "limits.per_day must be an integer from 0 to 1000000000000 or null"],
    [
      { limits: { per_day: Number.POSITIVE_INFINITY } },
      "limits.per_day must be an integer from 0 to 1000000000000 or null",
    ],
    [{ api_access: 1 }, "api_access must be true or false"],
  ]);
});

test("rules: the message names the entry and the field", () => {
  const rules = (...redirect_rules: unknown[]) => ({ redirect_rules });
  messages(parsers.CreateCodeBody, [
    [rules(...Array(21).fill(device)), "redirect_rules must have at most 20 entries"],
    [rules(5), "redirect_rules[0] must be an object"],
    [rules(device, null), "redirect_rules[1] must be an object"],
    [rules({}), "redirect_rules[0].condition is required"],
    [
      rules({ ...device, condition: "x" }),
      'redirect_rules[0].condition must be one of "device", "country", "schedule"',
    ],
    [rules({ ...device, value: "tv" }), 'redirect_rules[0].value must be one of "ios", "android", "desktop"'],
    [rules(without(device, "url")), "redirect_rules[0].url is required"],
    [rules({ ...device, condition2: "device" }), 'redirect_rules[0].condition2 must be "country"'],
    [
      rules({ ...device, condition2: "country", value2: "DEU" }),
      "redirect_rules[0].value2 must be a two-letter country code",
    ],
    [rules({ ...schedule, schedule_days: [] }), "redirect_rules[0].schedule_days must have at least 1 entry"],
    [
      rules({ ...schedule, schedule_days: ["mon", "Tue"] }),
      'redirect_rules[0].schedule_days[1] must be one of "mon", "tue", "wed", "thu", "fri", "sat", "sun"',
    ],
    [
      rules({ ...schedule, schedule_start: "9:00" }),
      "redirect_rules[0].schedule_start must be a time of day, HH:mm",
    ],
    [
      rules({ ...schedule, schedule_end: "24:00" }),
      "redirect_rules[0].schedule_end must be a time of day, HH:mm",
    ],
    [rules({ ...schedule, value: "ios" }), "redirect_rules[0].value is not allowed here"],
    [rules({ ...schedule, condition2: "device" }), "redirect_rules[0].condition2 is not allowed here"],
  ]);
});

test("looks: unknown keys and values out of range are refused", () => {
  const looks = (qr_render_metadata: unknown) => ({ qr_render_metadata });
  for (const parse of [parsers.CreateCodeBody, parsers.UpdateCodeBody]) {
    messages(parse, [
      [looks(5), "qr_render_metadata must be an object"],
      [looks({ color: "#000" }), "qr_render_metadata.color is not allowed here"],
      [looks({ width: 0 }), "qr_render_metadata.width must be a number greater than 0 and at most 4096"],
      [looks({ dpi: 71 }), "qr_render_metadata.dpi must be an integer from 72 to 1200"],
      [
        looks({ foreground_color: "red" }),
        "qr_render_metadata.foreground_color must be a colour, #rgb or #rrggbb",
      ],
      [looks({ unit: "pt" }), 'qr_render_metadata.unit must be one of "px", "mm", "cm", "in"'],
      [looks({ export_png: "no" }), "qr_render_metadata.export_png must be true or false"],
    ]);
  }
});

test("of several mistakes the first in the order of the fields is told", () => {
  messages(parsers.CreateCodeBody, [
    [{ scan_limit: 0, type: "x", name: "" }, "name must be a string of 1 to 200 characters"],
    [{ scan_limit: 0, type: "x" }, 'type must be one of "url", "dynamic_url", "text"'],
  ]);
});

test("an ignored field may be nested as deeply as a body has room for", () => {
  const x = JSON.parse("[".repeat(30_000) + "]".repeat(30_000)) as unknown;
  assert.equal(parsers.CreateCodeBody({ label: "Poster", x, scan_limit: null }).label, "Poster");
});

test("unknown and read-only fields are ignored, and what was created can be created again", () => {
  const body = {
    qr_id: 5,
    slug: [],
    scan_count: "many",
    label: "Poster",
    qr_data: { url: "https://a.example", x: 1 },
  };
  assert.deepEqual(parsers.CreateCodeBody(body), body);
  assert.deepEqual(parsers.UpdateCodeBody(body), body);
  const text = {
    type: "text",
    redirect_url: "",
    qr_data: { text: "hello" },
    redirect_rules: [],
    scan_limit: null,
  };
  const { scan_limit: _, ...given } = text;
  assert.deepEqual(parsers.CreateCodeBody(text), given);
});
