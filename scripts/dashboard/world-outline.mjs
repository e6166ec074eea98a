/**
 * The countries of the world as SVG paths, for the map of scans: made from Natural Earth (public domain, by way of
 * world-atlas) while the pages are bundled, so that browsers get a few kilobytes of numbers and no code that projects.
 *
 * Borders are shared arcs, and are projected, thinned out and brought to whole units one arc at a time: both sides of a
 * border change in the same way, and no gap opens. The projection is Equal Earth, since a map that is coloured by
 * numbers must not make the north larger than it is. A country too small for this scale is a point, taken from the
 * finer edition, so that it can be shown as well.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Units from the left edge of the map to the right one. */
export const worldWidth = 720;
/** Antarctica is left out: it would take a fifth of the height. */
const south = -56;
const north = 83.7;
/** A point is dropped when the triangle with its neighbours is smaller, in square units. */
const triangleMin = 0.8;
/** An island is dropped when all of it is smaller, unless it is all that a country has. */
const islandMin = 3;

/**
 * @typedef {[number, number]} Point
 * @typedef {number[][]} Polygon rings of numbers of arcs; ~n is the arc n, backwards
 * @typedef {{ type: string, id?: string, properties: { name: string }, arcs: Polygon | Polygon[] }} Geometry
 * @typedef {{ transform: { scale: Point, translate: Point }, arcs: Point[][], objects: { countries: { geometries: Geometry[] } } }} Topology
 */

/** Shapes that Natural Earth gives no number of ISO 3166. */
const codesByName = new Map([
  ["Kosovo", "XK"],
  ["Somaliland", "SO"],
  ["N. Cyprus", "CY"],
]);

/**
 * Polygons drawn with one country that ISO 3166 lists under another: where scans say they are.
 * @type {readonly { of: string, is: string, west: number, east: number, south: number, north: number }[]}
 */
const elsewhere = [
  { of: "FR", is: "GF", west: -55, east: -51, south: 2, north: 6 },
  { of: "RU", is: "UA", west: 32, east: 37, south: 44, north: 46.5 },
];

/**
 * An esbuild plugin: `import … from "world-outline"`.
 * @returns {import("esbuild").Plugin}
 */
export function worldOutlinePlugin() {
  return {
    name: "world-outline",
    setup(build) {
      build.onResolve({ filter: /^world-outline$/ }, ({ path }) => ({ path, namespace: "world-outline" }));
      build.onLoad({ filter: /.*/, namespace: "world-outline" }, () => ({ contents: outlineModule() }));
    },
  };
}

function outlineModule() {
  return Object.entries(worldOutline())
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");
}

/**
 * @returns {{ width: number, height: number, shapes: Record<string, string>, points: Record<string, Point> }} by
 * ISO 3166-1 alpha-2 codes
 */
export function worldOutline() {
  const coarse = readTopology("countries-110m.json");
  const arcs = coarse.arcs.map((arc) => thinned(placed(coarse, arc)));
  /** @type {Map<string, Point[][]>} */
  const rings = new Map();
  for (const [code, polygon] of polygonsOf(coarse)) {
    const parts = polygon.flatMap((ring) => cutAtEdge(ringOf(arcs, ring)));
    const drawn = parts.map((part) => part.map((point) => whole(project(point))));
    rings.set(code, [...(rings.get(code) ?? []), ...drawn]);
  }
  /** @type {Record<string, string>} */
  const shapes = {};
  for (const [code, all] of rings) {
    const largest = Math.max(...all.map(areaOf));
    const kept = all.filter((ring) => areaOf(ring) >= Math.min(islandMin, largest));
    if (code !== "AQ" && kept.length > 0) shapes[code] = kept.map(pathOf).join("");
  }
  const height = whole(project([0, south]))[1];
  return { width: worldWidth, height, shapes, points: pointsBeside(shapes) };
}

/**
 * The countries that have no shape.
 * @param {Record<string, string>} shapes
 */
function pointsBeside(shapes) {
  const fine = readTopology("countries-50m.json");
  const arcs = fine.arcs.map((arc) => placed(fine, arc));
  /** @type {Map<string, Point[]>} */
  const largest = new Map();
  for (const [code, [outer]] of polygonsOf(fine)) {
    if (code in shapes || code === "AQ" || outer === undefined) continue;
    const ring = ringOf(arcs, outer).map(project);
    const known = largest.get(code);
    if (known === undefined || areaOf(ring) > areaOf(known)) largest.set(code, ring);
  }
  return Object.fromEntries([...largest].map(([code, ring]) => [code, whole(middleOf(ring))]));
}

/**
 * @param {string} file
 * @returns {Topology}
 */
function readTopology(file) {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`world-atlas/${file}`), "utf8"));
}

/**
 * Degrees from the differences that are stored.
 * @param {Topology} topology
 * @param {Point[]} arc
 * @returns {Point[]}
 */
function placed({ transform: { scale, translate } }, arc) {
  let x = 0;
  let y = 0;
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/**
 * @param {Topology} topology
 * @returns {Generator<[code: string, polygon: Polygon]>}
 */
function* polygonsOf(topology) {
  for (const geometry of topology.objects.countries.geometries) {
    const code = codeOf(geometry);
    if (code === null) continue;
    const polygons = /** @type {Polygon[]} */ (
      geometry.type === "Polygon" ? [geometry.arcs] : (geometry.arcs ?? [])
    );
    for (const polygon of polygons) yield [listedCode(code, polygon, topology), polygon];
  }
}

/**
 * @param {Geometry} geometry
 * @returns {string | null}
 */
function codeOf({ id, properties: { name } }) {
  // Locales have numbers for regions as well, and a canonical way to write them.
  const code = id === undefined ? codesByName.get(name) : Intl.getCanonicalLocales(`und-${id}`)[0]?.slice(4);
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : null;
}

/**
 * @param {string} code
 * @param {Polygon} polygon
 * @param {Topology} topology
 */
function listedCode(code, polygon, topology) {
  const places = elsewhere.filter(({ of }) => of === code);
  if (places.length === 0) return code;
  const outline = (polygon[0] ?? []).flatMap((arc) =>
    placed(topology, topology.arcs[arc < 0 ? ~arc : arc] ?? []),
  );
  const found = places.find(({ west, east, south, north }) =>
    outline.every(([x, y]) => x > west && x < east && y > south && y < north),
  );
  return found?.is ?? code;
}

/**
 * @param {Point[][]} arcs
 * @param {number[]} ring
 * @returns {Point[]} the first and the last are the same
 */
function ringOf(arcs, ring) {
  /** @type {Point[]} */
  const points = [];
  for (const number of ring) {
    const arc = number < 0 ? (arcs[~number] ?? []).toReversed() : (arcs[number] ?? []);
    // An arc begins where the one before it ended.
    points.push(...(points.length === 0 ? arc : arc.slice(1)));
  }
  return points;
}

/**
 * A ring that goes on beyond 180° comes in again on the other side of the map: two rings.
 * @param {Point[]} ring
 */
function cutAtEdge(ring) {
  let turns = 0;
  /** @type {Point[]} */
  const straight = ring.map(([x, y], index) => {
    const before = ring[index - 1]?.[0] ?? x;
    if (Math.abs(x - before) > 180) turns += x < before ? 360 : -360;
    return [x + turns, y];
  });
  const shift = Math.min(...straight.map(([x]) => x)) < -180 ? 360 : 0;
  /** @type {Point[]} */
  const shifted = straight.map(([x, y]) => [x + shift, y]);
  if (Math.max(...shifted.map(([x]) => x)) <= 180) return [shifted];
  const west = clipped(shifted, (x) => 180 - x);
  /** @type {Point[]} */
  const east = clipped(shifted, (x) => x - 180).map(([x, y]) => [x - 360, y]);
  return [west, east];
}

/**
 * What of a ring is on the side where the distance from the edge is positive.
 * @param {Point[]} ring
 * @param {(x: number) => number} distance
 */
function clipped(ring, distance) {
  /** @type {Point[]} */
  const kept = [];
  for (const [index, [x, y]] of ring.entries()) {
    const [lastX, lastY] = ring[index - 1] ?? [x, y];
    const [here, last] = [distance(x), distance(lastX)];
    if (here * last < 0) {
      const share = last / (last - here);
      kept.push([lastX + (x - lastX) * share, lastY + (y - lastY) * share]);
    }
    if (here >= 0) kept.push([x, y]);
  }
  const [first] = kept;
  return first === undefined ? kept : [...kept, first];
}

/**
 * Equal Earth (Šavrič, Patterson and Jenny, 2018), in units of the map.
 * @param {Point} degrees
 * @returns {Point}
 */
function project([longitude, latitude]) {
  const [x, y] = equalEarth((longitude * Math.PI) / 180, (latitude * Math.PI) / 180);
  const scale = worldWidth / (2 * equalEarth(Math.PI, 0)[0]);
  const top = equalEarth(0, (north * Math.PI) / 180)[1];
  return [worldWidth / 2 + x * scale, (top - y) * scale];
}

/**
 * @param {number} lambda
 * @param {number} phi
 * @returns {Point}
 */
function equalEarth(lambda, phi) {
  const m = Math.sqrt(3) / 2;
  const theta = Math.asin(m * Math.sin(phi));
  const t2 = theta * theta;
  const t6 = t2 ** 3;
  const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796];
  return [
    (lambda * Math.cos(theta)) / (m * (a1 + 3 * a2 * t2 + t6 * (7 * a3 + 9 * a4 * t2))),
    theta * (a1 + a2 * t2 + t6 * (a3 + a4 * t2)),
  ];
}

/**
 * Visvalingam's way: again and again the point goes that changes the drawn line least. The ends stay.
 * @param {Point[]} line
 */
function thinned(line) {
  const kept = line.map((point) => ({ point, at: project(point) }));
  for (;;) {
    let least = triangleMin;
    let at = -1;
    for (let index = 1; index < kept.length - 1; index++) {
      const area = triangle(kept[index - 1]?.at, kept[index]?.at, kept[index + 1]?.at);
      if (area < least) [least, at] = [area, index];
    }
    if (at < 0 || kept.length <= 4) return kept.map(({ point }) => point);
    kept.splice(at, 1);
  }
}

/**
 * @param {Point | undefined} a
 * @param {Point | undefined} b
 * @param {Point | undefined} c
 */
function triangle(a, b, c) {
  if (a === undefined || b === undefined || c === undefined) return 0;
  return Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
}

/** @param {Point[]} ring */
function areaOf(ring) {
  let sum = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    sum += x * nextY - nextX * y;
  }
  return Math.abs(sum) / 2;
}

/**
 * @param {Point[]} ring
 * @returns {Point}
 */
function middleOf(ring) {
  const xs = ring.map(([x]) => x);
  const ys = ring.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/**
 * @param {Point} point
 * @returns {Point}
 */
function whole([x, y]) {
  return [Math.round(x), Math.round(y)];
}

/**
 * Relative, with as few characters as the grammar allows.
 * @param {Point[]} ring
 */
function pathOf(ring) {
  const [first, ...others] = ring;
  if (first === undefined) return "";
  /** @type {Point[]} */
  const lines = [];
  let [x, y] = first;
  for (const [nextX, nextY] of others.slice(0, -1)) {
    const [dx, dy] = [nextX - x, nextY - y];
    const last = lines.at(-1);
    // On whole units many points lie on the line that leads on.
    if (last !== undefined && last[0] * dy === last[1] * dx && last[0] * dx + last[1] * dy >= 0) {
      lines[lines.length - 1] = [last[0] + dx, last[1] + dy];
    } else if (dx !== 0 || dy !== 0) lines.push([dx, dy]);
    [x, y] = [nextX, nextY];
  }
  const path = lines.map(([dx, dy], at) => `${at > 0 && dx >= 0 ? " " : ""}${dx}${dy >= 0 ? " " : ""}${dy}`);
  return `M${first[0]} ${first[1]}l${path.join("")}z`;
}
