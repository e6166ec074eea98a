/** Made by `scripts/dashboard/world-outline.mjs` while the pages are bundled. By ISO 3166-1 alpha-2 codes. */
declare module "world-outline" {
  export const width: number;
  export const height: number;
  export const shapes: Readonly<Record<string, string>>;
  /** Countries too small for a shape. */
  export const points: Readonly<Record<string, readonly [x: number, y: number]>>;
}
