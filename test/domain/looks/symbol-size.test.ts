import assert from "node:assert/strict";
import test from "node:test";
import QRCode from "qrcode";
import { symbolModules } from "../../../src/domain/looks/sizes.ts";

const levels = ["L", "M", "Q", "H"] as const;

function fits(bytes: number, version: number, level: (typeof levels)[number]): boolean {
  const data = new Uint8Array(bytes).fill(0x61);
  try {
    QRCode.create([{ data, mode: "byte" }], { version, errorCorrectionLevel: level, maskPattern: 0 });
    return true;
  } catch {
    return false;
  }
}

for (const level of levels) {
  test(`level ${level}: a symbol grows exactly when the encoder cannot put more into its version`, () => {
    for (let version = 1, bytes = 0; version <= 40; version++) {
      const modules = 17 + 4 * version;
      while (symbolModules("a".repeat(bytes + 1), level) === modules) bytes++;
      assert.equal(fits(bytes, version, level), true, `${bytes} bytes in version ${version}`);
      assert.equal(fits(bytes + 1, version, level), false, `${bytes + 1} bytes in version ${version}`);
      const next = symbolModules("a".repeat(bytes + 1), level);
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
