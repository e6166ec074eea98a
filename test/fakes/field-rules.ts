/** Rules for the fields of a code with a URL check that a test can see through. */
import type { FieldRules } from "../../src/domain/code/code-fields.ts";
import { ApiError } from "../../src/domain/errors.ts";

/** Adds a mark to each URL that was checked; a URL that names evil is unsafe. */
export const markingRules: FieldRules = {
  checkUrl: (path, value) => ({
    href: `${value}#checked`,
    unsafe: value.includes("evil") ? new ApiError("unsafe_url", `${path} is evil`) : null,
  }),
  linkTo: (slug) => `https://qr.test/${slug}`,
};
