/**
 * Every error a client can receive: its code, its status, its message. The only place with a status number
 * of an error; a test holds it against the OpenAPI document.
 */
export const errors = {
  unauthorized: { status: 401, message: "The API key is missing, invalid or revoked." },
  api_access_disabled: { status: 403, message: "API access is not enabled for this account." },
  forbidden: { status: 403, message: "This is not for you to do here." },
  feature_disabled: { status: 403, message: "The plan does not include this feature." },
  project_forbidden: { status: 403, message: "The project is archived." },
  quota_exceeded_qr: { status: 402, message: "The plan's cap of active QR codes is reached." },
  quota_exceeded_projects: { status: 402, message: "The plan's cap of projects is reached." },
  quota_exceeded_keys: { status: 402, message: "The plan's cap of live API keys is reached." },
  quota_exceeded_users: { status: 402, message: "The account has as many users as it can have." },
  unsafe_url: { status: 422, message: "The URL failed the safety check." },
  invalid_request: { status: 400, message: "The request is not valid." },
  invalid_payload: { status: 400, message: "The body must be a JSON object." },
  payload_too_large: { status: 413, message: "The body is too large." },
  headers_too_large: { status: 431, message: "The headers are too large or too many." },
  rate_limited: { status: 429, message: "Too many requests in one second." },
  rate_limit_minute: { status: 429, message: "The per-minute quota is used up." },
  rate_limit_day: { status: 429, message: "The per-day quota is used up." },
  qr_not_found: { status: 404, message: "There is no such QR code." },
  project_not_found: { status: 404, message: "There is no such project." },
  account_not_found: { status: 404, message: "There is no such account." },
  key_not_found: { status: 404, message: "There is no such key." },
  user_not_found: { status: 404, message: "There is no such user." },
  not_found: { status: 404, message: "There is nothing at this address." },
  method_not_allowed: { status: 405, message: "This method is not allowed here." },
  email_taken: { status: 409, message: "Somebody has this e-mail address already." },
  last_owner: { status: 409, message: "An account cannot be without an owner." },
  one_time_link_over: { status: 410, message: "This link was used or has expired. Ask for a new one." },
  qr_blocked: { status: 403, message: "This link was blocked because its target is unsafe." },
  qr_expired: { status: 410, message: "This link has expired." },
  qr_scan_limit_reached: { status: 410, message: "This link has reached its scan limit." },
  unavailable: { status: 503, message: "The service cannot do this right now. Try again shortly." },
  internal_error: { status: 500, message: "Something went wrong on our side." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** A refusal on its way to the client. Carries no stack: it is an answer, not a fault. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  /** Seconds after which a repeat may succeed. */
  readonly retryAfter: number | null;

  constructor(code: ErrorCode, message: string = errors[code].message, retryAfter: number | null = null) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** The 400 for a known field with an unusable value. The message starts with the field's path. */
export function invalidField(path: string, problem: string): ApiError {
  return new ApiError("invalid_request", `${path} ${problem}`);
}

export function unavailable(why: string): ApiError {
  return new ApiError("unavailable", why, 1);
}
