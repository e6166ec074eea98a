import { op, type Path } from "../shapes/path.ts";

/** Straight pieces for a curve stay this close to it, in pixels. */
const flatness = 0.05;

/** Edges as x0 y0 x1 y1, horizontal ones left out: they cover nothing. */
export function flatten(path: Path): Float64Array {
  let edges = new Float64Array(path.length * 2 + 64);
  let length = 0;
  const add = (x0: number, y0: number, x1: number, y1: number): void => {
    if (y0 === y1) return;
    if (length + 4 > edges.length) {
      const grown = new Float64Array(edges.length * 2);
      grown.set(edges);
      edges = grown;
    }
    edges[length++] = x0;
    edges[length++] = y0;
    edges[length++] = x1;
    edges[length++] = y1;
  };
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  for (let at = 0; at < path.length; ) {
    const kind = path[at++];
    if (kind === op.close) {
      add(x, y, startX, startY);
      x = startX;
      y = startY;
      continue;
    }
    const radius = kind === op.arc ? path[at++]! : 0;
    const toX = path[at++]!;
    const toY = path[at++]!;
    if (kind === op.arc) flattenArc(x, y, toX, toY, radius, path[at++] === 1, add);
    else if (kind === op.line) add(x, y, toX, toY);
    else {
      startX = toX;
      startY = toY;
    }
    x = toX;
    y = toY;
  }
  return edges.subarray(0, length);
}

function flattenArc(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  radius: number,
  clockwise: boolean,
  add: (x0: number, y0: number, x1: number, y1: number) => void,
): void {
  const halfX = (x1 - x0) / 2;
  const halfY = (y1 - y0) / 2;
  const half = Math.sqrt(halfX * halfX + halfY * halfY);
  const rise = Math.sqrt(Math.max(0, radius * radius - half * half)) / half;
  const turn = clockwise ? 1 : -1;
  const centreX = x0 + halfX - turn * rise * halfY;
  const centreY = y0 + halfY + turn * rise * halfX;
  const angle = 2 * Math.asin(Math.min(1, half / radius));
  const pieces = Math.max(2, Math.ceil(angle / (2 * Math.acos(Math.max(0, 1 - flatness / radius)))));
  const cos = Math.cos(angle / pieces);
  const sin = turn * Math.sin(angle / pieces);
  let armX = x0 - centreX;
  let armY = y0 - centreY;
  let x = x0;
  let y = y0;
  for (let piece = 1; piece < pieces; piece++) {
    const nextX = armX * cos - armY * sin;
    armY = armX * sin + armY * cos;
    armX = nextX;
    add(x, y, centreX + armX, centreY + armY);
    x = centreX + armX;
    y = centreY + armY;
  }
  add(x, y, x1, y1);
}
