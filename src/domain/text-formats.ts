/**
 * The kinds of text and number that request bodies are made of.
 *
 * A character is a Unicode code point, as in JSON Schema, so that the limit the OpenAPI document states is the
 * limit that is enforced; typia's own `MaxLength` counts UTF-16 units. Most text is short enough for its
 * units alone to settle the question. A lone surrogate is refused: it has no UTF-8 form, so what is read
 * back could not be what was sent.
 */
import type { tags } from "typia";
import type { passwordCharsMax, passwordCharsMin } from "../limits.ts";
import type { timestampHint } from "./timestamps.ts";

type CharsMax<N extends number> = tags.TagBase<{
  target: "string";
  kind: "charsMax";
  value: N;
  validate: `($input.length <= ${N} || ($input.length <= 2 * ${N} && [...$input].length <= ${N}))`;
  exclusive: true;
  schema: { maxLength: N };
}>;

type WellFormed = tags.TagBase<{
  target: "string";
  kind: "wellFormed";
  value: true;
  validate: `$input.isWellFormed()`;
  exclusive: true;
  schema: undefined;
}>;

// Plain comments from here on: a doc comment of an alias would show up in the OpenAPI document.

// At most N characters, maybe none.
export type TextUpTo<N extends number> = string & CharsMax<N> & WellFormed;

// 1 to N characters.
export type Text<N extends number> = string & tags.MinLength<1> & CharsMax<N> & WellFormed;

export type NewPassword = string &
  tags.MinLength<typeof passwordCharsMin> &
  CharsMax<typeof passwordCharsMax> &
  WellFormed;

// The domain parses and normalises it.
export type TimestampInput = Text<64> &
  tags.JsonSchemaPlugin<{
    format: "date-time";
    title: typeof timestampHint;
    example: "2030-01-31T18:00:00.000Z";
  }>;

// A `title` says in words what a pattern means; refusals quote it.
export type Colour = string &
  tags.Pattern<"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"> &
  tags.JsonSchemaPlugin<{ title: "a colour, #rgb or #rrggbb"; example: "#1a2b3c" }>;

// The domain knows which of them are assigned.
export type CountryInput = string &
  tags.Pattern<"^[A-Za-z]{2}$"> &
  tags.JsonSchemaPlugin<{ title: "a two-letter country code"; example: "DE" }>;

export type TimeOfDay = string &
  tags.Pattern<"^([01][0-9]|2[0-3]):[0-5][0-9]$"> &
  tags.JsonSchemaPlugin<{ title: "a time of day, HH:mm"; example: "09:30" }>;
