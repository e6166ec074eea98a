/** One named mistake in a value that was valid: what a schema forbids, and the field a refusal has to name. */
import type { Schema } from "../../../src/schema/components.ts";
import type { Dice } from "../dice.ts";
import { type Fields, target } from "./schema-generator.ts";

type Schemas = Readonly<Record<string, Schema>>;
type Step = string | number;

export interface Mutant {
  /** What was done to the value. */
  mistake: string;
  /** As refusals spell it: `redirect_rules[0].url`. */
  field: string;
  /** How a refusal has to begin. */
  refusal: string;
  value: unknown;
}

interface Place {
  steps: readonly Step[];
  schema: Schema;
  value: unknown;
  required: boolean;
}

/** Null when the value has no place where a mistake could be made. */
export function mutated(root: Schema, value: unknown, schemas: Schemas, dice: Dice): Mutant | null {
  const places = [...placesIn(target(root, schemas), value, schemas, [])];
  if (places.length === 0) return null;
  const place = dice.pick(places);
  const [mistake, change] = dice.pick(Object.entries(mistakesAt(place)));
  return change(value, place, dice, mistake);
}

type Change = (value: unknown, place: Place, dice: Dice, mistake: string) => Mutant;

/** Every field that is there, and every required one, at any depth. */
function* placesIn(
  schema: Schema,
  value: unknown,
  schemas: Schemas,
  steps: readonly Step[],
): Generator<Place> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* placeAt(schema.items!, item, true, schemas, [...steps, index]);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (!Object.hasOwn(value, key)) continue;
      const required = schema.required?.includes(key) === true;
      yield* placeAt(property, (value as Fields)[key], required, schemas, [...steps, key]);
    }
  }
}

function* placeAt(
  declared: Schema,
  value: unknown,
  required: boolean,
  schemas: Schemas,
  steps: readonly Step[],
): Generator<Place> {
  const shape = target(declared, schemas);
  const schema = declared.nullable ? { ...shape, nullable: true } : shape;
  yield { steps, schema, value, required };
  yield* placesIn(shape.oneOf ? chosen(shape, value, schemas) : shape, value, schemas, steps);
}

/** The shape of a union that the value has: the one whose fixed fields it agrees with. */
function chosen(union: Schema, value: unknown, schemas: Schemas): Schema {
  const shapes = union.oneOf!.map((choice) => target(choice, schemas));
  const agrees = (shape: Schema) =>
    Object.entries(shape.properties ?? {}).every(
      ([key, property]) =>
        property.enum?.length !== 1 ||
        !shape.required?.includes(key) ||
        property.enum[0] === (value as Fields)[key],
    );
  return shapes.find(agrees)!;
}

const ofType: Record<string, readonly unknown[]> = {
  string: ["text", "1", ""],
  number: [7, 0, -1.5],
  boolean: [true, false],
  object: [{}, { value: 1 }],
  array: [[], [1]],
};

function mistakesAt({ schema, required, value, steps }: Place): Record<string, Change> {
  const mistakes: Record<string, Change> = { "wrong type": replaceBy((dice) => wrongType(schema, dice)) };
  if (!schema.nullable) mistakes.null = replaceBy(() => null);
  if (schema.type === "array") mistakes["extra nesting"] = replaceBy(() => ({ value }));
  else mistakes["extra nesting"] = replaceBy(() => [value]);
  if (required && typeof steps.at(-1) === "string") mistakes.missing = remove;
  if (schema.enum) {
    const allowed = schema.enum;
    mistakes["bad enum"] = replaceBy((dice) =>
      dice.pick(
        ["nonsense", "", `${value} `, String(value).toUpperCase(), "toString"].filter(
          (text) => !allowed.includes(text),
        ),
      ),
    );
  }
  if (schema.maxLength !== undefined) {
    mistakes["too long"] = replaceBy((dice) => dice.pick(["x", "é", "🙂"]).repeat(schema.maxLength! + 1));
  }
  if (schema.minLength) mistakes["too short"] = replaceBy(() => "");
  if (schema.maximum !== undefined) {
    mistakes["above maximum"] = replaceBy((dice) => dice.pick([schema.maximum! + 1, 1e18, 1e308]));
  }
  if (schema.minimum !== undefined) {
    const over = schema.exclusiveMinimum ? schema.minimum : schema.minimum - 1;
    mistakes["below minimum"] = replaceBy((dice) => dice.pick([over, -1e18]));
  }
  if (schema.type === "integer") mistakes["not whole"] = replaceBy((dice) => dice.pick([1.5, 0.1]));
  if (schema.pattern !== undefined)
    mistakes["bad pattern"] = replaceBy((dice) => against(schema.pattern!, value, dice));
  if (schema.format === "date-time") mistakes["bad format"] = replaceBy((dice) => dice.pick(noTimestamps));
  if (schema.maxItems !== undefined && Array.isArray(value) && value.length > 0) {
    mistakes["too many items"] = replaceBy(() =>
      Array.from({ length: schema.maxItems! + 1 }, (_, index) => value[index % value.length]),
    );
  }
  if (schema.minItems) mistakes["too few items"] = replaceBy(() => []);
  if (schema.additionalProperties === false && value !== null) mistakes["unknown key"] = addKey;
  return mistakes;
}

const noTimestamps = [
  "tomorrow",
  "2030-01-31",
  "2030-01-31T18:00:00",
  "2030-02-30T00:00:00Z",
  "2030-13-01T00:00:00Z",
  "2030-01-31T25:00:00Z",
  "2030-01-31T18:60:00Z",
  "1767225600000",
  "2030-01-31T18:00:00Zulu",
  " 2030-01-31T18:00:00Z",
  "+012030-01-31T18:00:00Z",
];

function wrongType({ type = "object" }: Schema, dice: Dice): unknown {
  const own = type === "integer" ? "number" : type;
  const others = Object.keys(ofType).filter((other) => other !== own);
  return dice.pick(ofType[dice.pick(others)]!);
}

function against(pattern: string, value: unknown, dice: Dice): string {
  const allowed = new RegExp(pattern);
  const attempts = [
    "",
    " ",
    "zzz",
    `${value}\n`,
    ` ${value}`,
    `${value}0`,
    String(value).slice(1),
    "٠٩:٣٠",
    "#ggg",
    "24:00",
  ];
  return dice.pick(attempts.filter((attempt) => !allowed.test(attempt)));
}

function replaceBy(make: (dice: Dice) => unknown): Change {
  return (value, { steps }, dice, mistake) => ({
    mistake,
    field: spell(steps),
    refusal: `${spell(steps)} `,
    value: changed(value, steps, (holder, last) => {
      holder[last] = make(dice);
    }),
  });
}

const remove: Change = (value, { steps }, _dice, mistake) => ({
  mistake,
  field: spell(steps),
  refusal: `${spell(steps)} is required`,
  value: changed(value, steps, (holder, last) => {
    delete holder[last];
  }),
});

const addKey: Change = (value, { steps }, dice, mistake) => {
  const key = dice.pick(["unknown", "colour", "Width", "constructor"]);
  return {
    mistake,
    field: spell([...steps, key]),
    refusal: `${spell([...steps, key])} is not allowed here`,
    value: changed(value, [...steps, key], (holder, last) => {
      holder[last] = dice.pick([1, "x", null]);
    }),
  };
};

function changed(
  value: unknown,
  steps: readonly Step[],
  change: (holder: Record<Step, unknown>, last: Step) => void,
): unknown {
  const copy = structuredClone(value);
  let holder = copy as Record<Step, unknown>;
  for (const step of steps.slice(0, -1)) holder = holder[step] as Record<Step, unknown>;
  change(holder, steps.at(-1)!);
  return copy;
}

function spell(steps: readonly Step[]): string {
  return steps
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("");
}
