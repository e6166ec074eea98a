/** Colours as metadata carries them, `#rrggbb`, and how well two of them can be told apart. */

/** `#rgb` and `#rrggbb` in any case become lower-case `#rrggbb`. */
export function normaliseColour(text: string): string {
  const colour = text.toLowerCase();
  return colour.length === 7 ? colour : `#${[...colour.slice(1)].map((digit) => digit + digit).join("")}`;
}

/** WCAG 2 relative luminance: 0 is black, 1 is white. */
export function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
