/** The map of the world: small, whole, and every country under the code that scans have. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { worldOutline } from "../../scripts/dashboard/world-outline.mjs";

const bytesMax = 15 * 1024;
const { width, height, shapes, points } = worldOutline();

/** Corners of every ring, in units of the map. */
function ringsOf(path: string): [number, number][][] {
  return path
    .split("z")
    .filter((ring) => ring !== "")
    .map((ring) => {
      const [x = 0, y = 0, ...steps] = (ring.match(/-?\d+/g) ?? []).map(Number);
      const corners: [number, number][] = [[x, y]];
      for (let at = 0; at < steps.length; at += 2) {
        const [lastX, lastY] = corners.at(-1)!;
        corners.push([lastX + steps[at]!, lastY + steps[at + 1]!]);
      }
      return corners;
    });
}

test("the map takes few bytes", () => {
  const bytes = gzipSync(JSON.stringify({ shapes, points })).length;
  assert.ok(bytes < bytesMax, `${bytes} bytes`);
});

test("every country is one that names are known of, and is drawn or a point", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const codes = [...Object.keys(shapes), ...Object.keys(points)];
  assert.equal(new Set(codes).size, codes.length, "none is both");
  assert.deepEqual(
    codes.filter((code) => names.of(code) === undefined),
    [],
  );
  assert.ok(codes.length > 230, `${codes.length} countries`);
  for (const code of ["DE", "US", "BR", "IN", "ZA", "AU", "XK", "GF", "TW", "PS"])
    assert.ok(shapes[code], code);
  for (const code of ["SG", "MT", "HK", "MV", "BH"]) assert.ok(points[code], code);
  assert.equal(shapes.AQ, undefined);
});

test("no shape leaves the map, or reaches across it where the world was cut", () => {
  for (const [code, path] of Object.entries(shapes)) {
    assert.match(path, /^(M\d+ -?\d+l[-\d ]+z)+$/, code);
    for (const ring of ringsOf(path)) {
      const xs = ring.map(([x]) => x);
      const ys = ring.map(([, y]) => y);
      assert.ok(ring.length >= 3, `${code} has a ring without an inside`);
      assert.ok(Math.min(...xs) >= 0 && Math.max(...xs) <= width, `${code} leaves the map`);
      assert.ok(Math.min(...ys) >= -2 && Math.max(...ys) <= height + 2, `${code} leaves the map`);
      assert.ok(Math.max(...xs) - Math.min(...xs) < width / 2, `${code} reaches across the map`);
    }
  }
});

test("places are where they are", () => {
  const middle = (code: string) => {
    const corners = ringsOf(shapes[code]!).flat();
    return corners.reduce(([x, y], [cx, cy]) => [x + cx / corners.length, y + cy / corners.length], [0, 0]);
  };
  const [germanX = 0, germanY = 0] = middle("DE");
  const [brazilX = 0, brazilY = 0] = middle("BR");
  const [australiaX = 0] = middle("AU");
  assert.ok(brazilX < germanX && germanX < australiaX);
  assert.ok(germanY < brazilY);
  assert.ok(Math.abs(germanX - width / 2) < width / 20, "Germany is near the meridian of Greenwich");
});
