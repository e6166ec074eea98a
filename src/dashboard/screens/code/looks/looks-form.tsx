/** How the code looks: shapes and colours first, print matters behind a fold. */
import type { RenderMetadata } from "../../../../domain/documents.ts";
import { CheckField, Field, type Option, SelectField, TextField } from "../../../parts/field.tsx";
import { inUnit, type Looks, type NumberKey, type Problem } from "./looks.ts";

const dotStyles: readonly Option[] = [
  ["square", "Squares"],
  ["rounded", "Rounded"],
  ["extra-rounded", "Very rounded"],
  ["dots", "Dots"],
  ["diamond", "Diamonds"],
  ["classy", "Classy"],
  ["classy-rounded", "Classy, rounded"],
];
const eyeStyles: readonly Option[] = [
  ["square", "Squares"],
  ["rounded", "Rounded"],
  ["circle", "Circles"],
  ["leaf", "Leaves"],
];
const borders: readonly Option[] = [
  ["none", "None"],
  ["solid", "Solid"],
  ["rounded", "Rounded"],
  ["dashed", "Dashed"],
];
const corrections: readonly Option[] = [
  ["L", "Low: up to 7 % may be damaged"],
  ["M", "Medium: up to 15 %"],
  ["Q", "High: up to 25 %"],
  ["H", "Highest: up to 30 %"],
];
const ratios: readonly Option[] = [
  ["1:1", "Square, 1:1"],
  ["4:3", "Wide, 4:3"],
  ["3:4", "Tall, 3:4"],
  ["16:9", "Wide, 16:9"],
  ["9:16", "Tall, 9:16"],
];
const units: readonly Option[] = [
  ["px", "Pixels"],
  ["mm", "Millimetres"],
  ["cm", "Centimetres"],
  ["in", "Inches"],
];
const alignments: readonly Option[] = [
  ["center", "In the middle"],
  ["top", "Top"],
  ["bottom", "Bottom"],
  ["left", "Left"],
  ["right", "Right"],
  ["top-left", "Top left"],
  ["top-right", "Top right"],
  ["bottom-left", "Bottom left"],
  ["bottom-right", "Bottom right"],
];

export function LooksForm(props: {
  looks: Looks;
  /** What comes of them: sides that follow from others. */
  metadata: RenderMetadata;
  problem: Problem | null;
  onLooks: (looks: Looks) => void;
}) {
  const { looks, metadata, problem, onLooks } = props;
  const change = (changed: Partial<Looks>) => onLooks({ ...looks, ...changed });
  const problemOf = (key: string) =>
    problem?.field === `qr_render_metadata.${key}` ? `It ${problem.words}.` : null;
  const number = (key: NumberKey) => ({
    type: "number" as const,
    inputMode: "decimal" as const,
    step: "any",
    value: looks.numbers[key],
    problem: problemOf(key),
    onValue: (value: string) => change({ numbers: { ...looks.numbers, [key]: value } }),
  });
  const choice = <K extends keyof Looks>(key: K) => ({
    value: looks[key] as string,
    onValue: (value: string) => change({ [key]: value } as Partial<Looks>),
    problem: problemOf(key),
  });
  const isSquare = looks.format_ratio === "1:1";
  return (
    <div class="stack">
      <div class="field-row">
        <SelectField label="Pattern" options={dotStyles} {...choice("dot_style")} />
        <SelectField label="Corners" options={eyeStyles} {...choice("eye_style")} />
      </div>
      <div class="field-row">
        <ColourField label="Colour" {...choice("foreground_color")} />
        <ColourField
          label="Background"
          {...choice("background_color")}
          hint={looks.bg_transparent ? "Not painted: say here what it is going to lie on." : undefined}
        />
      </div>
      <CheckField
        label="No background"
        hint="The picture lies on whatever is behind it."
        value={looks.bg_transparent}
        onValue={(bg_transparent) => change({ bg_transparent })}
      />
      <details class="fold">
        <summary>Size and print</summary>
        <div class="stack">
          <div class="field-row">
            <SelectField label="Shape" options={ratios} {...choice("format_ratio")} />
            <SelectField
              label="Position of the code"
              options={alignments}
              {...choice("output_alignment")}
              disabled={isSquare}
              hint={isSquare ? "A square leaves no choice." : undefined}
            />
          </div>
          <div class="field-row">
            <TextField
              label="Width"
              {...number("width")}
              hint={`Height: ${metadata.height} ${metadata.unit}`}
            />
            <SelectField
              label="Unit"
              options={units}
              value={looks.unit}
              onValue={(unit) => onLooks(inUnit(looks, unit as RenderMetadata["unit"]))}
            />
          </div>
          <div class="field-row">
            <TextField
              label="Quiet zone"
              {...number("quiet_zone")}
              hint="Free space around the code, in its own squares. Scanners want 4."
            />
            <TextField
              label="Padding"
              {...number("padding")}
              hint={`Free space at the edge, in ${metadata.unit}.`}
            />
          </div>
          <div class="field-row">
            <SelectField label="Frame" options={borders} {...choice("border_style")} />
            <SelectField label="Error correction" options={corrections} {...choice("error_correction")} />
          </div>
          <TextField label="Resolution" {...number("dpi")} hint="Dots per inch." />
          <CheckField
            label="Make a PNG as well"
            hint="An SVG is always made."
            value={looks.export_png}
            onValue={(export_png) => change({ export_png })}
          />
        </div>
      </details>
    </div>
  );
}

function ColourField(props: {
  label: string;
  value: string;
  problem: string | null;
  hint?: string | undefined;
  onValue: (value: string) => void;
}) {
  const { label, value, problem, hint, onValue } = props;
  return (
    <Field label={label} problem={problem} hint={hint}>
      {(tied) => (
        <div class="row colour">
          <input
            type="color"
            class="input"
            aria-label={`${label}: choose`}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <input
            {...tied}
            type="text"
            class="input mono grow"
            spellcheck={false}
            value={value}
            onChange={(event) => {
              const typed = event.currentTarget.value.trim().toLowerCase();
              const full = typed.startsWith("#") ? typed : `#${typed}`;
              if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/.test(full)) onValue(longColour(full));
              else event.currentTarget.value = value;
            }}
          />
        </div>
      )}
    </Field>
  );
}

/** `<input type="color">` knows the long form alone. */
function longColour(colour: string): string {
  return colour.length === 7 ? colour : `#${[...colour.slice(1)].map((digit) => digit + digit).join("")}`;
}
