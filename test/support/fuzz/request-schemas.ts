/** Whether a document allows a request body: the schema as any client would read it, unknown fields included. */
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { OpenapiDocument } from "../../../src/openapi/document.ts";
import type { Schema } from "../../../src/schema/components.ts";

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** From OpenAPI 3.0 to JSON Schema: exclusive bounds are numbers there. References lead to `requests`. */
function translated(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === "$ref") return String(value).replace("#/components/schemas/", "requests#/");
    if (value?.exclusiveMinimum !== true) return value;
    const { minimum, exclusiveMinimum: _, ...rest } = value;
    return { ...rest, exclusiveMinimum: minimum };
  });
}

export function documentAllows(
  documents: readonly OpenapiDocument[],
  schema: Schema,
  value: unknown,
): boolean {
  if (ajv.getSchema("requests") === undefined) {
    const all = documents.flatMap(({ components }) => Object.entries(components.schemas));
    const byName = Object.fromEntries(all.map(([name, component]) => [name, translated(component)]));
    ajv.addSchema({ $id: "requests", ...byName });
  }
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(translated(schema));
  compiled.set(key, validate);
  return validate(value) as boolean;
}
