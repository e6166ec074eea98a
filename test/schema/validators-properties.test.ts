/** Whatever the types allow is accepted; one wrong value anywhere is refused with the name of its field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../../src/domain/errors.ts";
import { resolved, type Schema } from "../../src/schema/components.ts";
import { documentedComponents } from "../../src/schema/left-out.ts";
import { parsers } from "../../src/schema/validators.ts";

function validValue(schema: Schema): fc.Arbitrary<unknown> {
  const plain = resolved(schema);
  const value = validNonNull(plain);
  return schema.nullable ? fc.option(value) : value;
}

function validNonNull(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(validValue));
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  switch (schema.type) {
    case "string":
      return fc.string({
        unit: "binary",
        minLength: schema.minLength ?? 0,
        maxLength: schema.maxLength ?? 50,
      });
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 100 });
    case "number":
      return fc.double({
        min: schema.minimum ?? 0,
        max: schema.maximum ?? 100,
        minExcluded: schema.exclusiveMinimum ?? false,
        noNaN: true,
      });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(validValue(schema.items!), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    default:
      return validObject(schema);
  }
}

function validObject(schema: Schema): fc.Arbitrary<object> {
  const properties = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const entries = properties.map(([key, property]) => [key, validValue(property)] as const);
  return fc.record(Object.fromEntries(entries), { requiredKeys: [...required] });
}

/** Values of a kind that the schema does not have. */
function invalidValue(schema: Schema): fc.Arbitrary<unknown> {
  const { type, nullable } = { ...resolved(schema), nullable: schema.nullable };
  const kinds: unknown[] = [{ wrong: true }, ["wrong"], "\u0000 wrong", -1.5, true];
  const wrong = kinds.filter((value) => {
    if (Array.isArray(value)) return type !== "array";
    if (typeof value === "object") return type !== undefined && type !== "object";
    if (typeof value === "string")
      return type !== "string" || schema.enum !== undefined || schema.pattern !== undefined;
    if (typeof value === "boolean") return type !== "boolean";
    return true;
  });
  return fc.constantFrom(...wrong, ...(nullable ? [] : [null]));
}

/** Without anything that is null: in a create all of it counts as left out. */
function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, stripped(inner)]));
}

for (const [name, parse] of Object.entries(parsers)) {
  const schema = documentedComponents[name]!;

  test(`${name}: what the type allows is accepted as it is`, () => {
    fc.assert(
      fc.property(validObject(schema), (body) => {
        const expected = /^(Create|SignIn|Visit)/.test(name) ? stripped(body) : body;
        assert.equal(JSON.stringify(parse(body)), JSON.stringify(expected));
      }),
      { numRuns: 150 },
    );
  });

  for (const [field, property] of Object.entries(schema.properties!)) {
    test(`${name}: a wrong ${field} is refused by name`, () => {
      fc.assert(
        fc.property(validObject(schema), invalidValue(property), (body, wrong) => {
          assert.throws(
            () => parse({ ...body, [field]: wrong }),
            (error) =>
              error instanceof ApiError &&
              error.code === "invalid_request" &&
              error.message.startsWith(field),
          );
        }),
        { numRuns: 25 },
      );
    });
  }
}

test("any JSON is either accepted or refused as a client's mistake", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.values(parsers)), (json, parse) => {
      try {
        assert.equal(typeof parse(json), "object");
      } catch (error) {
        assert.ok(error instanceof ApiError && error.status === 400, String(error));
      }
    }),
    { numRuns: 500 },
  );
});
