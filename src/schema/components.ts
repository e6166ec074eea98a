/**
 * The component schemas that typia made, tidied into what OpenAPI 3.0 allows: scalars and lists stand where
 * they are used, because a reference cannot carry a description beside it, and only objects and unions
 * keep a name.
 */
import { described } from "./generated/components.ts";

/** The part of an OpenAPI 3.0 schema that occurs here. */
export interface Schema {
  $ref?: string;
  type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  title?: string;
  description?: string;
  nullable?: boolean;
  enum?: readonly (string | number | boolean | null)[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  default?: string | number;
  example?: unknown;
}

/** As typia writes it: bounds that exclude are numbers, and a reference may have siblings. */
type RawSchema = Omit<Schema, "exclusiveMinimum"> & { exclusiveMinimum?: number };

const refPrefix = "#/components/schemas/";
const raw = described.components.schemas as unknown as Record<string, RawSchema>;

export const refTo = (name: string): Schema => ({ $ref: `${refPrefix}${name}` });
export const nameOfRef = (ref: string): string => ref.slice(refPrefix.length);

function keepsItsName(schema: RawSchema): boolean {
  return !schema.nullable && (schema.properties !== undefined || schema.oneOf !== undefined);
}

function tidyRef(name: string, description: string | undefined): Schema {
  const target = raw[name];
  if (!target) throw new Error(`schema ${name} is not among the components`);
  const beside = description === undefined ? {} : { description };
  if (!keepsItsName(target)) return { ...tidy(target), ...beside };
  return description === undefined ? refTo(name) : { allOf: [refTo(name)], description };
}

function tidy(schema: RawSchema): Schema {
  if (schema.$ref) return tidyRef(nameOfRef(schema.$ref), schema.description);
  const { exclusiveMinimum, required, properties, items, oneOf, additionalProperties, ...rest } = schema;
  const tidied: Schema = { ...rest };
  if (exclusiveMinimum !== undefined)
    Object.assign(tidied, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  if (rest.nullable && rest.enum) tidied.enum = [...rest.enum, null];
  if (required?.length) tidied.required = required;
  if (properties) {
    tidied.properties = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, tidy(value as RawSchema)]),
    );
  }
  if (items) tidied.items = tidy(items as RawSchema);
  if (oneOf) tidied.oneOf = oneOf.map((choice) => tidy(choice as RawSchema));
  if (additionalProperties !== undefined) {
    tidied.additionalProperties =
      typeof additionalProperties === "boolean"
        ? additionalProperties
        : tidy(additionalProperties as RawSchema);
  }
  return tidied;
}

/** Where unknown keys are refused (see `validators.ts`); everywhere else they are ignored. */
export const closed: ReadonlySet<string> = new Set(["RenderMetadataInput", "LimitsInput"]);

export const components: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(raw)
    .filter(([, schema]) => keepsItsName(schema))
    .map(([name, schema]) => [
      name,
      { ...tidy(schema), ...(closed.has(name) && { additionalProperties: false }) },
    ]),
);

/** Follows a reference, also the one that stands inside `allOf` to have a description beside it. */
export function resolved(schema: Schema): Schema {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref === undefined ? schema : components[nameOfRef(ref)]!;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A client may name a key after what every object inherits. */
export function propertyOf({ properties }: Schema, key: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** The shape of a union that the value claims to be, by the property that tells the shapes apart. */
export function chosen(schema: Schema, value: unknown): Schema | null {
  for (const choice of schema.oneOf ?? []) {
    const shape = resolved(choice);
    const tag = Object.entries(shape.properties ?? {}).find(([, property]) => property.enum?.length === 1);
    if (tag && isObject(value) && tag[1].enum![0] === value[tag[0]]) return shape;
  }
  return null;
}
