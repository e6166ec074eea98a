/**
 * From "this value does not fit the type" to a sentence for the client.
 *
 * typia names the place of a mistake and the one tag that failed there. A client is better served by all that
 * is allowed at that place, in the same words whichever bound was missed, so the sentence is made from the
 * component schema of the field, the very one the OpenAPI document shows.
 */
import { type ApiError, invalidField } from "../domain/errors.ts";
import { chosen, isObject, propertyOf, resolved, type Schema } from "./components.ts";

export interface Mistake {
  path: string;
  expected: string;
}

type Step = string | number;

/** `$input.redirect_rules[0]["odd key"]` → `["redirect_rules", 0, "odd key"]` */
function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else steps.push(JSON.parse(quoted!) as string);
  }
  return steps;
}

/** `["redirect_rules", 0, "value"]` → `redirect_rules[0].value` */
function spell(steps: readonly Step[]): string {
  return steps
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("");
}

/** The property that tells the shapes of a union apart, and all values it may have. */
function discriminator(schema: Schema): { name: string; schema: Schema } {
  const shapes = (schema.oneOf ?? []).map((choice) => resolved(choice).properties ?? {});
  const name = Object.keys(shapes[0] ?? {}).find((key) => shapes.every((s) => s[key]?.enum?.length === 1));
  if (name === undefined) throw new Error("a union of request shapes has no property that tells them apart");
  return { name, schema: { type: "string", enum: shapes.flatMap((shape) => shape[name]!.enum!) } };
}

function range(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (minimum !== undefined && exclusiveMinimum) return ` greater than ${minimum} and at most ${maximum}`;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : ` of at least ${minimum}`;
}

function length(schema: Schema): string {
  if (schema.maxLength === undefined) return "";
  return schema.minLength
    ? ` of ${schema.minLength} to ${schema.maxLength} characters`
    : ` of at most ${schema.maxLength} characters`;
}

function allowed(schema: Schema): string {
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value));
    return values.length === 1 ? values[0]! : `one of ${values.join(", ")}`;
  }
  if (schema.title) return schema.title;
  if (schema.type === "string") return `a string${length(schema)}`;
  if (schema.type === "integer") return `an integer${range(schema)}`;
  if (schema.type === "number") return `a number${range(schema)}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "array") return "an array";
  return "an object";
}

function problem(schema: Schema, value: unknown): string {
  if (value === undefined) return "is required";
  if (Array.isArray(value) && schema.type === "array") {
    if (schema.maxItems !== undefined && value.length > schema.maxItems) {
      return `must have at most ${schema.maxItems} entries`;
    }
    return `must have at least ${schema.minItems} ${schema.minItems === 1 ? "entry" : "entries"}`;
  }
  return `must be ${allowed(schema)}${schema.nullable ? " or null" : ""}`;
}

/** The answer to a body in which `mistake` was found, where `root` describes the whole body. */
export function explained(root: Schema, body: unknown, mistake: Mistake): ApiError {
  const steps = stepsOf(mistake.path);
  let schema = root;
  let value = body;
  for (const step of steps) {
    const inside = resolved(schema.oneOf ? (chosen(schema, value) ?? schema) : schema);
    const next = typeof step === "number" ? inside.items : propertyOf(inside, step);
    value = (value as Record<Step, unknown>)[step];
    if (!next) return invalidField(spell(steps), "is not allowed here");
    schema = resolved(next);
    if (next.nullable) schema = { ...schema, nullable: true };
  }
  if (mistake.expected.endsWith("& WellFormed")) {
    return invalidField(spell(steps), "must not contain half of a surrogate pair");
  }
  if (schema.oneOf && isObject(value)) {
    const tag = discriminator(schema);
    return invalidField(spell([...steps, tag.name]), problem(tag.schema, value[tag.name]));
  }
  return invalidField(spell(steps), problem(schema, value));
}
