/**
 * Creates that fit the OpenAPI document and are refused all the same, because no schema can say why: the
 * exceptions that the fuzzing takes into account. Those of other operations stand in its test.
 */
export const target = { redirect_url: "https://example.com/" };
const rule = (fields: object) => ({
  ...target,
  redirect_rules: [{ url: "https://example.com/", ...fields }],
});
const looks = (qr_render_metadata: object) => ({ ...target, qr_render_metadata });
const window = (start: string, end: string) => ({
  condition: "schedule",
  schedule_days: ["mon"],
  schedule_start: start,
  schedule_end: end,
});

/** Bodies that fit the document and are refused: why, and the field that is named. */
export const refusedCreates: Record<string, [body: object, field: string, status?: number]> = {
  "a type that needs a target": [{}, "redirect_url"],
  "a type that needs a text": [{ type: "text" }, "text"],
  "a text where there is none": [{ ...target, text: "x" }, "text"],
  "a target where there is none": [{ type: "text", text: "x", ...target }, "redirect_url"],
  "no URL": [{ redirect_url: "nowhere" }, "redirect_url"],
  "a relative URL": [{ redirect_url: "/a" }, "redirect_url"],
  "a URL that is not safe": [{ redirect_url: "http://127.0.0.1/" }, "redirect_url", 422],
  "a URL of a rule that is not safe": [
    rule({ condition: "device", value: "ios", url: "http://10.0.0.1/" }),
    "redirect_rules[0].url",
    422,
  ],
  "half of a surrogate pair": [{ ...target, name: "\ud800" }, "name"],
  "more text than a symbol holds": [{ type: "text", text: "🙂".repeat(1_000) }, "text"],
  "a country that is not assigned": [rule({ condition: "country", value: "ZZ" }), "redirect_rules[0].value"],
  "a second condition without its value": [
    rule({ condition: "device", value: "ios", condition2: "country" }),
    "redirect_rules[0].value2",
  ],
  "a second value without its condition": [
    rule({ condition: "device", value: "ios", value2: "DE" }),
    "redirect_rules[0].value2",
  ],
  "a window over midnight": [rule(window("22:00", "06:00")), "redirect_rules[0].schedule_start"],
  "a schedule with a device": [
    rule({ ...window("06:00", "22:00"), value: "ios" }),
    "redirect_rules[0].value",
  ],
  "a device with a schedule": [
    rule({ condition: "device", value: "ios", schedule_days: ["mon"] }),
    "redirect_rules[0].schedule_days",
  ],
  "a leap second": [{ ...target, expires_at: "2030-06-30T23:59:60Z" }, "expires_at"],
  "a year of five digits, in UTC": [{ ...target, expires_at: "9999-12-31T23:59:59-01:00" }, "expires_at"],
  "a canvas of too few pixels": [looks({ width: 10 }), "qr_render_metadata.width"],
  "half a pixel": [looks({ width: 512.5 }), "qr_render_metadata.width"],
  "sides of another ratio": [
    looks({ format_ratio: "1:1", width: 300, height: 400 }),
    "qr_render_metadata.format_ratio",
  ],
  "no room for the symbol": [looks({ padding: 250 }), "qr_render_metadata.padding"],
  "colours too much alike": [looks({ foreground_color: "#eee" }), "qr_render_metadata.foreground_color"],
  "a project that does not exist": [{ ...target, project_id: "prj_none" }, "There is no such project", 404],
};
