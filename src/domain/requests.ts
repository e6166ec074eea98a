/**
 * The bodies of requests. typia turns these types into the checks at the door (`validators.ts`) and into the
 * component schemas of the OpenAPI document, so the two cannot disagree. What a type cannot say (that a
 * country is assigned, that a schedule's start is before its end, that a URL is safe) the domain decides.
 *
 * The comments of properties are the descriptions in the OpenAPI document.
 */
import type { tags } from "typia";
import type {
  descriptionCharsMax,
  labelCharsMax,
  redirectRulesMax,
  textCharsMax,
  urlCharsMax,
} from "../limits.ts";
import type { Device, MadeByApi, RenderMetadata, Weekday } from "./documents.ts";
import type { Colour, CountryInput, Text, TextUpTo, TimeOfDay, TimestampInput } from "./text-formats.ts";

type Name = Text<typeof labelCharsMax>;
type Url = TextUpTo<typeof urlCharsMax>;
type RuleUrl = Text<typeof urlCharsMax>;

/** Goes to `url` when the scanner's device, and its country when `condition2` is given, match. */
export interface DeviceRuleInput {
  condition: "device";
  value: Device;
  condition2?: "country";
  /** ISO 3166-1 alpha-2 code. Required with `condition2`. */
  value2?: CountryInput;
  /** Destination when the rule matches. Must pass the URL safety check. */
  url: RuleUrl;
}

/** Goes to `url` when the scanner's country, and its device when `condition2` is given, match. */
export interface CountryRuleInput {
  condition: "country";
  /** ISO 3166-1 alpha-2 code; upper-cased when stored. */
  value: CountryInput;
  condition2?: "device";
  /** Required with `condition2`. */
  value2?: Device;
  /** Destination when the rule matches. Must pass the URL safety check. */
  url: RuleUrl;
}

/** Goes to `url` on these days between these times, in the account's time zone. */
export interface ScheduleRuleInput {
  condition: "schedule";
  schedule_days: Weekday[] & tags.MinItems<1> & tags.MaxItems<7>;
  /** Inclusive. Must be earlier than `schedule_end`. */
  schedule_start: TimeOfDay;
  /** Exclusive, but `23:59` includes its minute: it ends the day. A window over midnight is written as two rules. */
  schedule_end: TimeOfDay;
  /** Destination when the rule matches. Must pass the URL safety check. */
  url: RuleUrl;
  value?: undefined;
  condition2?: undefined;
  value2?: undefined;
}

export type RedirectRuleInput = DeviceRuleInput | CountryRuleInput | ScheduleRuleInput;

export type RedirectRulesInput = RedirectRuleInput[] & tags.MaxItems<typeof redirectRulesMax>;
type ScanLimitInput = number & tags.Type<"int32"> & tags.Minimum<1> & tags.Maximum<2_147_483_647>;

/** How the code looks. Keys left out keep their value, or take the default on a new code. */
export interface RenderMetadataInput {
  /** Shape of the canvas. Given only one of width and height, the other follows from it. */
  format_ratio?: RenderMetadata["format_ratio"];
  /** Canvas width in `unit`; 64 to 4,096 px after conversion. */
  width?: number & tags.ExclusiveMinimum<0> & tags.Maximum<4096>;
  /** Canvas height in `unit`; 64 to 4,096 px after conversion. */
  height?: number & tags.ExclusiveMinimum<0> & tags.Maximum<4096>;
  /** Unit of width, height and padding. */
  unit?: RenderMetadata["unit"];
  /** Space inside the canvas edge, in `unit`. */
  padding?: number & tags.Minimum<0> & tags.Maximum<4096>;
  /** Modules of background around the symbol. */
  quiet_zone?: number & tags.Type<"int32"> & tags.Minimum<0> & tags.Maximum<16>;
  /** A frame in the foreground colour just inside the canvas edge. */
  border_style?: RenderMetadata["border_style"];
  /** Shape of the data modules. */
  dot_style?: RenderMetadata["dot_style"];
  /** Shape of the three finder patterns. */
  eye_style?: RenderMetadata["eye_style"];
  foreground_color?: Colour;
  background_color?: Colour;
  /** Paint no background. */
  bg_transparent?: boolean;
  error_correction?: RenderMetadata["error_correction"];
  /** Pixels per inch: the conversion of physical units, and what the PNG declares. */
  dpi?: number & tags.Type<"int32"> & tags.Minimum<72> & tags.Maximum<1200>;
  /** False: no PNG is made and `file_url_png` stays null. */
  export_png?: boolean;
  /** Where the symbol sits in a canvas that is not square. */
  output_alignment?: RenderMetadata["output_alignment"];
}

export interface QrDataInput {
  /** For type `text`: the text to encode, when `text` is not given. */
  text?: Text<typeof textCharsMax>;
  url?: Url;
}

export interface CreateCodeBody {
  /** Becomes the `label`. Without a name and a label, the target's host or the start of the text is taken. */
  name?: Name;
  /** The same as `name`, which wins when both are sent. */
  label?: Name;
  /** `url` when omitted. */
  type?: MadeByApi;
  /** Where a scan goes. Required for the types `url` and `dynamic_url`; must pass the URL safety check. */
  redirect_url?: Url;
  /** What a code of type `text` encodes. */
  text?: Text<typeof textCharsMax>;
  qr_data?: QrDataInput;
  /** The default project when omitted. */
  project_id?: Text<64>;
  /** Evaluated in order; the first match wins. Needs a plan with advanced redirects. */
  redirect_rules?: RedirectRulesInput | null;
  /** ISO 8601 with a zone. Scans after it get 410. Needs a plan with advanced redirects. */
  expires_at?: TimestampInput | null;
  /** How many scans succeed before they get 410. Needs a plan with advanced redirects. */
  scan_limit?: ScanLimitInput | null;
  qr_render_metadata?: RenderMetadataInput;
}

/** Null clears where it says so; elsewhere it is refused. */
export interface UpdateCodeBody {
  label?: Name;
  /** The same as `label`, which wins when both are sent. */
  name?: Name;
  /** Only for codes of type `url`. Takes effect for the next scan; the image is drawn again. */
  redirect_url?: Url;
  /** Only for codes of type `text`, and only the text they have: the image carries it. */
  text?: Text<typeof textCharsMax>;
  /** `archived` hides the code, `active` brings it back and consumes quota. A blocked code stays blocked. */
  status?: "active" | "archived";
  /** Null clears. */
  redirect_rules?: RedirectRulesInput | null;
  /** Null clears. */
  expires_at?: TimestampInput | null;
  /** Null clears. */
  scan_limit?: ScanLimitInput | null;
  qr_render_metadata?: RenderMetadataInput;
}

export interface CreateProjectBody {
  /** Display name. */
  name: Name;
  description?: TextUpTo<typeof descriptionCharsMax>;
  /** True: the new project replaces the present default project. */
  set_as_default?: boolean;
}

type Limit = number & tags.Type<"int64"> & tags.Minimum<0> & tags.Maximum<1_000_000_000_000>;

/** Single limits in place of the plan's. A limit left out stays as it is; null gives the plan's back. */
export interface LimitsInput {
  /** Active QR codes. */
  qr_cap?: Limit | null;
  /** Requests a minute and key. */
  per_minute?: Limit | null;
  /** Requests a day and key. */
  per_day?: Limit | null;
  /** Requests a second and key. */
  burst?: Limit | null;
  /** Keys that are not revoked. */
  keys?: Limit | null;
  /** Projects, archived ones included. */
  projects?: Limit | null;
  /** How many days back analytics may be read. */
  analytics_days?: Limit | null;
}

export interface CreateAccountBody {
  name: Name;
  /** Name of a configured plan. */
  plan?: Text<64>;
  /** IANA time zone in which schedule rules are read. */
  timezone?: Text<64>;
}

export interface UpdateAccountBody {
  name?: Name;
  /** Name of a configured plan. */
  plan?: Text<64>;
  /** IANA time zone in which schedule rules are read. */
  timezone?: Text<64>;
  /** False: every request with a key of this account gets 403. */
  api_access?: boolean;
  limits?: LimitsInput;
}

export interface CreateKeyBody {
  /** What the key is for. */
  name?: Name;
}

export interface UpdateKeyBody extends Required<CreateKeyBody> {}

export interface UpdateProjectBody {
  /** True: no new codes, and the links of its codes stop resolving. */
  archived?: boolean;
  name?: Name;
  description?: TextUpTo<typeof descriptionCharsMax>;
}
