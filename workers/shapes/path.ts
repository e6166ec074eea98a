/**
 * The one description of shapes that both pictures are drawn from: outlines in pixels as a flat list of
 * numbers. A flat list because a large symbol has tens of thousands of corners, and this form costs no
 * object for each of them. Outer outlines run clockwise and holes the other way, so that the non-zero rule
 * of SVG and the signed areas of the rasteriser agree on what is inside.
 */
export const op = { move: 0, line: 1, arc: 2, close: 3 } as const;

/** `move x y`, `line x y`, `arc radius x y sweep` (at most half a circle; sweep 1 is clockwise), `close`. */
export type Path = number[];

export function rectangle(path: Path, x: number, y: number, width: number, height: number): void {
  path.push(op.move, x, y, op.line, x + width, y, op.line, x + width, y + height, op.line, x, y + height);
  path.push(op.close);
}

/** Radii of the corners, clockwise from the top left one. */
export type Corners = readonly [number, number, number, number];

export const even = (radius: number): Corners => [radius, radius, radius, radius];

/** A square with rounded corners, clockwise, or as a hole. */
export function roundedBox(
  path: Path,
  x: number,
  y: number,
  width: number,
  height: number,
  corners: Corners,
  hole = false,
): void {
  const [a, b, c, d] = corners;
  const right = x + width;
  const bottom = y + height;
  if (hole) {
    path.push(op.move, x, y + a);
    side(path, x, bottom - d, d, x + d, bottom, 0);
    side(path, right - c, bottom, c, right, bottom - c, 0);
    side(path, right, y + b, b, right - b, y, 0);
    side(path, x + a, y, a, x, y + a, 0);
  } else {
    path.push(op.move, x + a, y);
    side(path, right - b, y, b, right, y + b, 1);
    side(path, right, bottom - c, c, right - c, bottom, 1);
    side(path, x + d, bottom, d, x, bottom - d, 1);
    side(path, x, y + a, a, x + a, y, 1);
  }
  path.push(op.close);
}

function side(
  path: Path,
  x: number,
  y: number,
  radius: number,
  endX: number,
  endY: number,
  sweep: 0 | 1,
): void {
  path.push(op.line, x, y);
  if (radius > 0) path.push(op.arc, radius, endX, endY, sweep);
}

export function disc(path: Path, centreX: number, centreY: number, radius: number): void {
  path.push(op.move, centreX - radius, centreY);
  path.push(op.arc, radius, centreX + radius, centreY, 1);
  path.push(op.arc, radius, centreX - radius, centreY, 1);
  path.push(op.close);
}
