/**
 * The outline of joined modules.
 *
 * Drawing module by module leaves hairlines where two edges meet: each is blended with the background on its
 * own. So the edge of every group of dark modules is walked once, dark on the right hand, and only its corners
 * are written. Two modules that touch at a corner only stay two groups (the walk turns right), which lets each
 * of them have its own rounded corner there.
 */
import { op, type Path } from "./path.ts";

/** 1 is dark; out of range is light. */
export type IsDark = (column: number, row: number) => boolean;

/** Radius, in modules, of an outward corner; `corner` counts clockwise from the top left one of the module. */
export type CornerRadius = (column: number, row: number, corner: number) => number;

const stepX = [1, 0, -1, 0];
const stepY = [0, 1, 0, -1];
/** From a vertex, heading right, down, left, up: the module on the right hand, and the one on the left. */
const rightX = [0, -1, -1, 0];
const rightY = [0, 0, -1, -1];
const leftX = [0, 0, -1, -1];
const leftY = [-1, 0, 0, -1];

export function outline(
  path: Path,
  size: number,
  isDark: IsDark,
  radiusOf: CornerRadius,
  place: { left: number; top: number; module: number },
): void {
  const { left, top, module } = place;
  const walkedTop = new Uint8Array(size * size);

  function walk(startX: number, startY: number): void {
    let x = startX;
    let y = startY;
    let heading = 0;
    let begun = false;
    do {
      if (heading === 0) walkedTop[y * size + x] = 1;
      x += stepX[heading]!;
      y += stepY[heading]!;
      let next = heading;
      let radius = 0;
      if (!isDark(x + rightX[heading]!, y + rightY[heading]!)) {
        // An outward corner of the module just passed.
        next = (heading + 1) & 3;
        radius = radiusOf(x + rightX[next]!, y + rightY[next]!, next);
      } else if (isDark(x + leftX[heading]!, y + leftY[heading]!)) {
        next = (heading + 3) & 3;
      }
      if (next !== heading) {
        const reach = radius * module;
        const cornerX = left + x * module;
        const cornerY = top + y * module;
        path.push(
          begun ? op.line : op.move,
          cornerX - stepX[heading]! * reach,
          cornerY - stepY[heading]! * reach,
        );
        begun = true;
        if (reach > 0) {
          path.push(op.arc, reach, cornerX + stepX[next]! * reach, cornerY + stepY[next]! * reach, 1);
        }
        heading = next;
      }
    } while (x !== startX || y !== startY || heading !== 0);
    path.push(op.close);
  }

  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const opens = isDark(column, row) && !isDark(column, row - 1) && walkedTop[row * size + column] === 0;
      if (opens) walk(column, row);
    }
  }
}
