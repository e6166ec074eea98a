import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ErrorCode, errors, unavailable } from "../../src/domain/errors.ts";

test("every code has the status that the documents give it, and words", () => {
  const codes: Record<number, string> = {
    400: "invalid_payload invalid_request",
    401: "unauthorized",
    402: "quota_exceeded_keys quota_exceeded_projects quota_exceeded_qr quota_exceeded_users",
    403: "api_access_disabled feature_disabled forbidden project_forbidden qr_blocked",
    404: "account_not_found key_not_found not_found project_not_found qr_not_found user_not_found",
    405: "method_not_allowed",
    409: "email_taken last_owner",
    410: "one_time_link_over qr_expired qr_scan_limit_reached",
    413: "payload_too_large",
    422: "unsafe_url",
    429: "rate_limit_day rate_limit_minute rate_limited",
    431: "headers_too_large",
    500: "internal_error",
    503: "unavailable",
  };
  const found: Record<number, string[]> = {};
  for (const code of Object.keys(errors).sort() as ErrorCode[]) {
    const { status, message } = new ApiError(code);
    found[status] = [...(found[status] ?? []), code];
    assert.match(message, /^[A-Z].*\.$/, code);
  }
  assert.deepEqual(
    Object.fromEntries(Object.entries(found).map(([status, names]) => [status, names.join(" ")])),
    codes,
  );
});

test("a refusal carries its code, status, message and when to come again, but no stack", () => {
  const plain = new ApiError("rate_limited");
  assert.deepEqual(
    [plain.name, plain.code, plain.status, plain.message, plain.retryAfter],
    ["ApiError", "rate_limited", 429, errors.rate_limited.message, null],
  );
  assert.doesNotMatch(plain.stack ?? "", /\n/);
  assert.equal(new ApiError("rate_limited", "later", 7).retryAfter, 7);
  const busy = unavailable("full");
  assert.deepEqual([busy.code, busy.status, busy.message, busy.retryAfter], ["unavailable", 503, "full", 1]);
  assert.match(new Error("a fault").stack ?? "", /errors\.test/);
});
