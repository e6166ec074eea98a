import assert from "node:assert/strict";
import test from "node:test";
import QRCode from "qrcode";
import { symbolModules } from "../src/domain/symbol-size.ts";

const levels = ["L", "M", "Q", "H"] as const;

/** The largest byte segment that the encoder puts into a version, found without any table of ours. */
function capacity(version: number, level: (typeof levels)[number]): number {
  let fits = 0;
  for (let step = 4_096; step >= 1; step /= 2) {
    try {
      const data = new Uint8Array(fits + step).fill(0x61);
      QRCode.create([{ data, mode: "byte" }], { version, errorCorrectionLevel: level, maskPattern: 0 });
      fits += step;
    } catch {}
  }
  return fits;
}

for (const level of levels) {
  test(`level ${level}: the size is the encoder's for the fullest symbol of every version`, () => {
    for (let version = 1; version <= 40; version++) {
      const fullest = capacity(version, level);
      const modules = 17 + 4 * version;
      assert.equal(symbolModules("a".repeat(fullest), level), modules, `version ${version}`);
      const next = symbolModules("a".repeat(fullest + 1), level);
      assert.equal(next, version === 40 ? null : modules + 4, `one byte more than version ${version}`);
    }
  });

  test(`level ${level}: what has a size can be drawn in it`, () => {
    for (const content of [
      "",
      "7".repeat(900),
      "ABC-1".repeat(150),
      "näher ☕ 😀 ".repeat(40),
      "https://example.com/qr-abcdefghjk",
    ]) {
      const modules = symbolModules(content, level);
      assert.ok(modules !== null);
      if (content !== "") {
        const drawn = QRCode.create(content, { errorCorrectionLevel: level, maskPattern: 0 }).modules.size;
        assert.ok(drawn <= modules, `${drawn} > ${modules}`);
      }
    }
  });
}

test("characters count by their bytes", () => {
  assert.equal(symbolModules("a".repeat(14), "M"), 21);
  assert.equal(symbolModules("ü".repeat(7), "M"), 21);
  assert.equal(symbolModules("ü".repeat(8), "M"), 25);
  assert.equal(symbolModules("😀".repeat(4), "M"), 25);
});
