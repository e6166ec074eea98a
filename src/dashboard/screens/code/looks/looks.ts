/**
 * Looks as they are being edited. Numbers are kept as they were typed, so that half a number is no mistake yet; what
 * comes of them is decided by the service's own rules, which run here too.
 */
import type { RenderMetadata } from "../../../../domain/documents.ts";
import { ApiError } from "../../../../domain/errors.ts";
import { defaultMetadata, normaliseMetadata } from "../../../../domain/looks/render-metadata.ts";
import { toPixels } from "../../../../domain/looks/sizes.ts";
import type { RenderMetadataInput } from "../../../../domain/requests.ts";

export const numberKeys = ["width", "padding", "quiet_zone", "dpi"] as const;
export type NumberKey = (typeof numberKeys)[number];

type Chosen = Pick<
  RenderMetadata,
  | "format_ratio"
  | "unit"
  | "border_style"
  | "dot_style"
  | "eye_style"
  | "foreground_color"
  | "background_color"
  | "bg_transparent"
  | "error_correction"
  | "export_png"
  | "output_alignment"
>;

export interface Looks extends Chosen {
  numbers: Record<NumberKey, string>;
}

export function looksOf(metadata: RenderMetadata): Looks {
  const { width, padding, quiet_zone, dpi, height: _, ...chosen } = metadata;
  return {
    ...chosen,
    numbers: {
      width: String(width),
      padding: String(padding),
      quiet_zone: String(quiet_zone),
      dpi: String(dpi),
    },
  };
}

export const newLooks = looksOf(defaultMetadata);

export interface Problem {
  /** As the service spells it: `qr_render_metadata.width`. */
  field: string;
  words: string;
}

export interface Read {
  /** What is different from `base`: what the service has to be told. Null when nothing is. */
  changes: RenderMetadataInput | null;
  /** Complete; the one of `base` when there is a problem. */
  metadata: RenderMetadata;
  problem: Problem | null;
}

const root = "qr_render_metadata";

export function readLooks(looks: Looks, base: RenderMetadata): Read {
  const { numbers, ...chosen } = looks;
  const given: Record<string, unknown> = { ...chosen };
  for (const key of numberKeys) {
    const text = numbers[key].trim();
    const value = Number(text);
    if (text === "" || !Number.isFinite(value)) return refused(base, key, "must be a number");
    given[key] = value;
  }
  const before = base as unknown as Record<string, unknown>;
  const changed = Object.entries(given).filter(([key, value]) => value !== before[key]);
  const changes = changed.length === 0 ? null : (Object.fromEntries(changed) as RenderMetadataInput);
  const outside = boundProblem(given);
  if (outside !== null) return refused(base, ...outside);
  try {
    return { changes, metadata: normaliseMetadata(root, changes ?? {}, base), problem: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [field, ...words] = error.message.split(" ");
    return { changes, metadata: base, problem: { field: field!, words: words.join(" ") } };
  }
}

function refused(base: RenderMetadata, key: string, words: string): Read {
  return { changes: null, metadata: base, problem: { field: `${root}.${key}`, words } };
}

/** Bounds that the shape of a request says, which the service checks before its rules are asked. */
function boundProblem(given: Record<string, unknown>): [key: string, words: string] | null {
  const bounds: Record<NumberKey, [least: number, most: number, isWhole: boolean]> = {
    width: [Number.MIN_VALUE, 4096, false],
    padding: [0, 4096, false],
    quiet_zone: [0, 16, true],
    dpi: [72, 1200, true],
  };
  for (const key of numberKeys) {
    const [least, most, isWhole] = bounds[key];
    const value = given[key] as number;
    if (isWhole && !Number.isInteger(value)) return [key, "must be a whole number"];
    if (value < least)
      return [key, least < 1 && key === "width" ? "must be more than 0" : `must be ${least} or more`];
    if (value > most) return [key, `must be ${most} or less`];
  }
  return null;
}

/** The same size in another unit, rounded as people write it. */
export function inUnit(looks: Looks, unit: RenderMetadata["unit"]): Looks {
  const dpi = Number(looks.numbers.dpi) || defaultMetadata.dpi;
  const perUnit = toPixels({ unit, dpi }, 1);
  const places = unit === "px" ? 1 : unit === "mm" ? 10 : 100;
  const convert = (text: string) => {
    const pixels = toPixels({ unit: looks.unit, dpi }, Number(text) || 0);
    return String(Math.round((pixels / perUnit) * places) / places);
  };
  return {
    ...looks,
    unit,
    numbers: {
      ...looks.numbers,
      width: convert(looks.numbers.width),
      padding: convert(looks.numbers.padding),
    },
  };
}
