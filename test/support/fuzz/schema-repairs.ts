/** What the documents cannot say of a request body, put right in bodies that were generated from them. */
import type { Dice } from "../dice.ts";
import { type Fields, type Repair, textOf } from "./schema-generator.ts";

/** What a body may refer to. */
export interface Surroundings {
  projectIds: readonly string[];
  /** The code that a change is meant for; null when one is created. */
  changes: { type: string } | null;
}

export function repairsFor({ projectIds, changes }: Surroundings): Record<string, Repair> {
  return {
    CreateCodeBody(body, dice) {
      if (body.project_id !== undefined) body.project_id = dice.pick(projectIds);
      if (body.type === "text") giveText(body, dice);
      else {
        delete body.text;
        body.redirect_url = url(dice);
      }
      // Written out in this body, since it may be null.
      if (body.qr_render_metadata) giveLooks(body.qr_render_metadata as Fields, true, dice);
    },
    UpdateCodeBody(body, dice) {
      delete body.text;
      if (changes?.type !== "url") delete body.redirect_url;
      else if (body.redirect_url !== undefined) body.redirect_url = url(dice);
    },
    DeviceRuleInput(rule, dice) {
      rule.url = url(dice);
      bothOrNeither(rule, () => ["country", country(dice)]);
    },
    CountryRuleInput(rule, dice) {
      rule.url = url(dice);
      rule.value = country(dice);
      bothOrNeither(rule, () => ["device", dice.pick(["ios", "android", "desktop"])]);
    },
    ScheduleRuleInput(rule, dice) {
      rule.url = url(dice);
      const start = dice.below(24 * 60 - 1);
      rule.schedule_start = timeOfDay(start);
      rule.schedule_end = timeOfDay(dice.between(start + 1, 24 * 60 - 1));
    },
    RenderMetadataInput(metadata, dice) {
      giveLooks(metadata, changes === null, dice);
    },
    CreateAccountBody: giveKnownNames,
    UpdateAccountBody: giveKnownNames,
    CreateUserBody(body, dice) {
      body.email = `${[1, 2].map(() => dice.below(2 ** 32)).join(".")}@example.com`;
    },
  };
}

function giveLooks(metadata: Fields, isNew: boolean, dice: Dice): void {
  giveCanvas(metadata, isNew, dice);
  giveColours(metadata, dice);
}

/** Longer than this in UTF-8, and not every level of error correction can hold it. */
const textBytesMax = 1_200;

function giveText(body: Fields, dice: Dice): void {
  if (dice.chance(0.5)) delete body.redirect_url;
  else body.redirect_url = "";
  if (body.text === undefined && dice.chance(0.3)) body.qr_data = { text: shortened(textOf(30, dice)) };
  else body.text = shortened(String(body.text ?? textOf(20, dice)));
}

function shortened(text: string): string {
  let kept = "";
  for (const char of text) {
    if (Buffer.byteLength(kept + char) > textBytesMax) break;
    kept += char;
  }
  return kept;
}

const hosts = [
  "example.com",
  "www.example.org:8443",
  "müller.de",
  "xn--bcher-kva.example.net",
  "8.8.8.8",
  "[2606:4700:4700::1111]",
  "EXAMPLE.com.",
];
const tails = [
  "",
  "/",
  "/a/b?c=d#e",
  "/%20%ff",
  "/ü/日本?q=ä",
  "/?u=https://other.example",
  "/a//b/../c",
  "?x={}|^`",
];

export function url(dice: Dice): string {
  const text = `${dice.pick(["https", "http", "HTTPS"])}://${dice.pick(hosts)}${dice.pick(tails)}`;
  return dice.chance(0.03) ? `https://example.com/${"x".repeat(2_048 - 20)}` : text;
}

const country = (dice: Dice) => dice.pick(["DE", "us", "Gb", "JP", "fr", "AX"]);
const timeOfDay = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function bothOrNeither(rule: Fields, second: () => [condition: string, value: string]): void {
  if (rule.condition2 === undefined) delete rule.value2;
  else [rule.condition2, rule.value2] = second();
}

const unitsPerInch: Record<string, number> = { mm: 25.4, cm: 2.54, in: 1 };
const quotients: Record<string, number> = {
  "1:1": 1,
  "4:3": 4 / 3,
  "3:4": 3 / 4,
  "16:9": 16 / 9,
  "9:16": 9 / 16,
};
const canvasKeys = [
  "format_ratio",
  "width",
  "height",
  "unit",
  "padding",
  "quiet_zone",
  "border_style",
  "error_correction",
  "dpi",
];

/**
 * The fields of the canvas hang together, and on a change those left out come from the code. So they are given
 * together or not at all, large enough for the largest symbol.
 */
function giveCanvas(metadata: Fields, isNew: boolean, dice: Dice): void {
  for (const key of canvasKeys) delete metadata[key];
  if (dice.chance(0.5)) return;
  const ratio = dice.pick(Object.keys(quotients));
  const unit = dice.pick(["px", "mm", "cm", "in"]);
  const dpi = dice.pick([72, 96, 300, 1200]);
  const shorter = dice.chance(0.03) ? 2_300 : dice.between(480, 700);
  const quotient = quotients[ratio]!;
  const length = (pixels: number) =>
    unit === "px" ? Math.round(pixels) : Math.round((pixels / dpi) * unitsPerInch[unit]! * 1e4) / 1e4;
  const width = length(quotient > 1 ? shorter * quotient : shorter);
  const height = length(quotient > 1 ? shorter : shorter / quotient);
  const sides = dice.pick([{ width }, { height }, { width, height }]);
  const whole = {
    format_ratio: ratio,
    ...sides,
    unit,
    dpi,
    padding: dice.chance(0.5) ? 0 : length(10),
    quiet_zone: dice.between(0, 16),
    border_style: dice.pick(["none", "solid", "rounded", "dashed"]),
    error_correction: dice.pick(["L", "M", "Q", "H"]),
  };
  Object.assign(metadata, whole);
  if (!isNew) return;
  for (const key of ["padding", "quiet_zone", "border_style", "error_correction"]) {
    if (dice.chance(0.3)) delete metadata[key];
  }
}

function giveColours(metadata: Fields, dice: Dice): void {
  delete metadata.foreground_color;
  delete metadata.background_color;
  if (dice.chance(0.5)) return;
  const channels = (low: number, high: number) =>
    [0, 0, 0].map(() => dice.between(low, high).toString(16)).join("");
  const isShort = dice.chance(0.3);
  metadata.foreground_color = `#${isShort ? channels(0, 5) : channels(0x10, 0x55).toUpperCase()}`;
  metadata.background_color = `#${isShort ? channels(13, 15) : channels(0xd8, 0xff)}`;
}

function giveKnownNames(body: Fields, dice: Dice): void {
  if (body.plan !== undefined)
    body.plan = dice.pick(["viewer", "free", "starter", "pro", "agency", "enterprise"]);
  if (body.timezone !== undefined) {
    body.timezone = dice.pick(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "asia/tokyo"]);
  }
}
