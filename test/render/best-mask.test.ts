/** Symbols are, module by module, those of the library, which chooses among the masks by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import QRCode from "qrcode";
import { symbolModules } from "../../src/domain/looks/sizes.ts";
import { encode } from "../../workers/shapes/symbol.ts";

const levels = ["L", "M", "Q", "H"] as const;

function assertAsLibrary(content: string, level: (typeof levels)[number]): number {
  const { modules, maskPattern } = QRCode.create(content, { errorCorrectionLevel: level });
  const { size, dark } = encode(content, level);
  assert.equal(size, modules.size);
  assert.deepEqual(dark, modules.data, `${level} ${JSON.stringify(content)}`);
  return maskPattern!;
}

test("in all forty sizes", () => {
  const sizes = new Set<number>();
  for (let length = 1; sizes.size < 40; length++) {
    const content = "qr".repeat(length).slice(length);
    const size = symbolModules(content, "L")!;
    if (!sizes.has(size)) assertAsLibrary(content, "L");
    sizes.add(size);
  }
});

test("of links, with every mask", () => {
  const masks = new Set<number>();
  for (let link = 0; link < 200; link++) {
    for (const level of levels)
      masks.add(assertAsLibrary(`https://q.example.com/qr-${link.toString(36)}`, level));
  }
  assert.equal(masks.size, 8);
});

test("of any text", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 300, unit: "binary" }),
      fc.constantFrom(...levels),
      (text, level) => {
        assertAsLibrary(text, level);
      },
    ),
    { numRuns: 300 },
  );
});
