/** The bodies that pages send beside those of the public API; see `requests.ts` for how they are checked. */
import type { descriptionCharsMax, emailCharsMax, labelCharsMax, urlCharsMax } from "../limits.ts";
import type { ContentType } from "./content/content-types.ts";
import type { Device, UserRole } from "./documents.ts";
import type { RedirectRulesInput, RenderMetadataInput } from "./requests.ts";
import type { CountryInput, NewPassword, Text, TextUpTo, TimestampInput } from "./text-formats.ts";

type Name = Text<typeof labelCharsMax>;
type Email = Text<typeof emailCharsMax>;
// A password that was set under other rules can still be sent.
type Password = Text<1_000>;
type Token = Text<200>;

/** `email` and `password` of a user, or `admin_token` of the operator. */
export interface SignInBody {
  email?: Email;
  password?: Password;
  admin_token?: Text<1_000>;
}

export interface OneTimeLinkBody {
  /** What follows the `#` of the link. */
  token: Token;
}

export interface SetPasswordBody {
  /** What follows the `#` of the link. */
  token: Token;
  password: NewPassword;
}

export interface ChangePasswordBody {
  current_password: Password;
  password: NewPassword;
}

export interface CreateUserBody {
  email: Email;
  /** `member` when omitted. Members cannot touch keys, users and the account. */
  role?: UserRole;
}

export interface UpdateUserBody {
  /** Members cannot touch keys, users and the account. */
  role: UserRole;
}

export interface UpdateOwnAccountBody {
  name?: Name;
  /** IANA time zone in which schedule rules are read. */
  timezone?: Text<64>;
}

export interface UpdateOwnProjectBody {
  name?: Name;
  description?: TextUpTo<typeof descriptionCharsMax>;
  /** True: no new codes, and the links of its codes stop resolving. */
  archived?: boolean;
  /** True: new codes belong to it when they name no project. */
  is_default?: true;
}

/** What the fields of a type are is said in `src/domain/content`; they are checked there. */
export interface ContentInput {
  [field: string]: unknown;
}

export interface CreateContentBody {
  type: ContentType;
  /** What the image says; its fields depend on the type. */
  content: ContentInput;
  /** Becomes the `label`. Without it, what the content is called is taken. */
  name?: Name;
  /** The default project when omitted. */
  project_id?: Text<64>;
  qr_render_metadata?: RenderMetadataInput;
}

/** A visitor who may never come. */
export interface VisitBody {
  /** Unknown when omitted: that meets no rule of a country. */
  country?: CountryInput;
  /** `desktop` when omitted. */
  device?: Device;
  /** Now when omitted. */
  at?: TimestampInput;
  /** In place of the stored one. */
  redirect_url?: Text<typeof urlCharsMax>;
  /** In place of the stored ones. */
  redirect_rules?: RedirectRulesInput;
}
