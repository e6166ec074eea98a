/**
 * Values that a schema of an OpenAPI 3.0 document allows, with a liking for the edges of what it allows.
 *
 * A schema cannot say everything: that a country exists, that one field needs another. A repair, named after
 * its component, takes what was generated from the schema alone and makes it one that holds in those
 * respects too; it knows nothing of the fields it does not touch, so a new field is generated without it.
 */
import type { Schema } from "../../../src/schema/components.ts";
import type { Dice } from "../dice.ts";

export type Fields = Record<string, unknown>;
export type Repair = (value: Fields, dice: Dice) => void;

export interface Generator {
  schemas: Readonly<Record<string, Schema>>;
  repairs: Readonly<Record<string, Repair>>;
  dice: Dice;
}

export function componentName(schema: Schema): string | null {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref === undefined ? null : ref.slice(ref.lastIndexOf("/") + 1);
}

/** The schema that a reference stands for. */
export function target(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const name = componentName(schema);
  return name === null ? schema : schemas[name]!;
}

export function validValue(schema: Schema, generator: Generator): unknown {
  const { dice, schemas, repairs } = generator;
  if (schema.nullable && dice.chance(0.1)) return null;
  const name = componentName(schema);
  if (name !== null) {
    const value = validValue(schemas[name]!, generator);
    repairs[name]?.(value as Fields, dice);
    return value;
  }
  if (schema.oneOf) return validValue(dice.pick(schema.oneOf), generator);
  if (schema.enum) return dice.pick(schema.enum.filter((choice) => choice !== null));
  switch (schema.type) {
    case "object":
      return objectOf(schema, generator);
    case "array":
      return Array.from({ length: lengthIn(schema.minItems ?? 0, schema.maxItems ?? 5, dice) }, () =>
        validValue(schema.items!, generator),
      );
    case "string":
      return stringOf(schema, dice);
    case "integer":
    case "number":
      return numberOf(schema, dice);
    case "boolean":
      return dice.chance(0.5);
    default:
      throw new Error(`no value can be made for ${JSON.stringify(schema)}`);
  }
}

/** Clients send back what they read, and send what no version knows. */
const unknownKeys = ["unknown", "qr_id", "scan_count", "created_at", "constructor", "toString", "a.b[0]", ""];

function objectOf(schema: Schema, generator: Generator): Fields {
  const { dice } = generator;
  const value: Fields = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(key) || dice.chance(0.4)) value[key] = validValue(property, generator);
  }
  if (schema.additionalProperties !== false && dice.chance(0.1)) {
    value[dice.pick(unknownKeys)] = dice.pick([null, 0, "x", [], { deep: [{}] }]);
  }
  return value;
}

const alphabets = [
  "abc XYZ 019 _-",
  "äßçñø",
  "日本語한국",
  "🙂🏳👍",
  "\u0000\u0007\t\n\r\u001f\u007f",
  "\"'\\/<>&%;=",
  "\u202e\u200d\u00ad\u0301",
];

/** Text of so many characters (code points), mostly plain. */
export function textOf(chars: number, dice: Dice): string {
  const alphabet = [...(dice.chance(0.5) ? alphabets[0]! : dice.pick(alphabets))];
  return Array.from({ length: chars }, () => dice.pick(alphabet)).join("");
}

function lengthIn(min: number, max: number, dice: Dice): number {
  if (dice.chance(0.05)) return max;
  if (dice.chance(0.05)) return min;
  return dice.between(min, Math.min(max, min + 12));
}

function stringOf(schema: Schema, dice: Dice): string {
  if (schema.format === "date-time") return timestamp(dice);
  if (schema.pattern !== undefined) return String(schema.example);
  return textOf(lengthIn(schema.minLength ?? 0, schema.maxLength ?? 100, dice), dice);
}

const two = (n: number) => String(n).padStart(2, "0");

function timestamp(dice: Dice): string {
  const year = dice.chance(0.1) ? dice.between(1, 9998) : dice.between(2020, 2040);
  const day = `${String(year).padStart(4, "0")}-${two(dice.between(1, 12))}-${two(dice.between(1, 28))}`;
  const time = `${two(dice.below(24))}:${two(dice.below(60))}:${two(dice.below(60))}`;
  const fraction = dice.pick(["", ".5", ".123", ".123456789"]);
  return `${day}T${time}${fraction}${dice.pick(["Z", "+00:00", "+05:45", "-11:30", "+14:00"])}`;
}

function numberOf(schema: Schema, dice: Dice): number {
  const max = schema.maximum ?? 2 ** 31;
  const lowest = schema.minimum ?? -max;
  if (dice.chance(0.1)) return max;
  if (schema.type === "number") return Math.min(max, lowest + dice.between(1, 1000) / 8);
  const min = schema.exclusiveMinimum ? lowest + 1 : lowest;
  return dice.chance(0.1) ? min : dice.between(min, max);
}
