/** The operations of the OpenAPI documents, and how often each is to be asked for. */
import type { DocumentedOperation, OpenapiDocument } from "../../../src/openapi/document.ts";
import type { Schema } from "../../../src/schema/components.ts";
import type { Dice } from "../dice.ts";
import { target } from "./schema-generator.ts";

export interface FuzzOperation {
  method: string;
  template: string;
  documented: DocumentedOperation;
  schemas: Readonly<Record<string, Schema>>;
  /** Methods that the path does not have. */
  otherMethods: readonly string[];
  /** How often it is asked for, compared with others: the more there is to get wrong, the oftener. */
  weight: number;
}

export function operationsOf(documents: readonly OpenapiDocument[]): FuzzOperation[] {
  return documents.flatMap(({ paths, components: { schemas } }) =>
    Object.entries(paths).flatMap(([template, methods]) => {
      const known = new Set(Object.keys(methods).map((method) => method.toUpperCase()));
      if (known.has("GET")) known.add("HEAD");
      const otherMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter(
        (each) => !known.has(each),
      );
      return Object.entries(methods).map(([method, documented]) => {
        const inBody = Math.min(20, placesIn(bodyOf(documented)?.schema, schemas));
        const inAddress = documented.parameters?.length ?? 0;
        const weight = inBody + inAddress === 0 ? 1 : 3 + inAddress + inBody;
        return { method: method.toUpperCase(), template, documented, schemas, otherMethods, weight };
      });
    }),
  );
}

export function bodyOf({ requestBody }: DocumentedOperation): { schema: Schema; required: boolean } | null {
  if (requestBody === undefined) return null;
  return { schema: requestBody.content["application/json"]!.schema, required: requestBody.required };
}

function placesIn(schema: Schema | undefined, schemas: FuzzOperation["schemas"]): number {
  if (schema === undefined) return 0;
  const { properties = {}, oneOf = [], items } = target(schema, schemas);
  const inside = [...Object.values(properties), ...oneOf, ...(items ? [items] : [])];
  return inside.length + inside.reduce((sum, each) => sum + placesIn(each, schemas), 0);
}

export function pickOperation(operations: readonly FuzzOperation[], dice: Dice): FuzzOperation {
  let left = dice.below(operations.reduce((sum, { weight }) => sum + weight, 0));
  return operations.find(({ weight }) => {
    left -= weight;
    return left < 0;
  })!;
}
