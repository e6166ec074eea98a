/**
 * Null where something is created, or in a rule or a look, is the same as leaving the field out: clients that fill
 * every field of a shape, with null for what they do not have, are understood. In a change null says something else
 * (clear this), so there it is allowed only where it does.
 *
 * What is null is taken away before a body is checked, and the documents say that it may be null; both follow from
 * the one list here.
 */
import { chosen, closed, components, isObject, propertyOf, resolved, type Schema } from "./components.ts";

const nullIsLeftOut: ReadonlySet<string> = new Set([
  "CreateCodeBody",
  "CreateProjectBody",
  "CreateAccountBody",
  "CreateKeyBody",
  "CreateUserBody",
  "CreateContentBody",
  "SignInBody",
  "VisitBody",
  "QrDataInput",
  "RenderMetadataInput",
  "DeviceRuleInput",
  "CountryRuleInput",
  "ScheduleRuleInput",
]);
const shapes = new Map([...nullIsLeftOut].map((name) => [components[name]!, name]));

const nestingMax = 8;

/** The value without what is null and counts as left out. What fits no shape is left for the check to refuse. */
export function withoutNulls(schema: Schema, value: unknown): unknown {
  return hasNull(value) ? leftOut(schema, value) : value;
}

/** Deeper than any body goes, it is not looked for: what a client nests without end must not be followed. */
function hasNull(value: unknown, depth = nestingMax): boolean {
  if (typeof value !== "object") return false;
  if (value === null || depth === 0) return true;
  for (const key in value) {
    if (hasNull((value as Record<string, unknown>)[key], depth - 1)) return true;
  }
  return false;
}

function leftOut(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => leftOut(items, item));
  }
  if (!isObject(value)) return value;
  const named = resolved(schema);
  const shape = named.oneOf ? chosen(named, value) : named;
  if (shape === null) return value;
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null && mayBeLeftOut(shape, key)) continue;
    const property = propertyOf(shape, key);
    kept.push([key, property === undefined ? inner : leftOut(property, inner)]);
  }
  return Object.fromEntries(kept);
}

/** Where unknown keys are refused, one that is null is refused as well. */
function mayBeLeftOut(shape: Schema, key: string): boolean {
  const name = shapes.get(shape);
  if (name === undefined || shape.required?.includes(key)) return false;
  return propertyOf(shape, key) !== undefined || !closed.has(name);
}

/** The components as documents show them. */
export const documentedComponents: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(components).map(([name, schema]) => [
    name,
    nullIsLeftOut.has(name) ? withNullable(schema) : schema,
  ]),
);

function withNullable(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]): [string, Schema] => [
    key,
    schema.required?.includes(key) ? property : nullable(property),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** OpenAPI 3.0 lets null be only beside a type, so a reference is written out. */
function nullable(property: Schema): Schema {
  if (property.nullable) return property;
  const isReference = property.$ref !== undefined || property.allOf !== undefined;
  const { description } = property;
  const written = isReference
    ? { ...withNullable(resolved(property)), ...(description !== undefined && { description }) }
    : property;
  return { ...written, nullable: true, ...(written.enum && { enum: [...written.enum, null] }) };
}
