/** Metrics as text, in the format that Prometheus reads (version 0.0.4). */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** What follows the family's name; only histograms have parts. */
  part?: "_bucket" | "_sum" | "_count";
  labels?: Labels;
  value: number;
}

/** All samples of one name. They are asked for when somebody reads, never before. */
export interface Family {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples(): Iterable<Sample>;
}

export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

export function expose(families: readonly Family[]): string {
  let text = "";
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    for (const { part = "", labels, value } of samples()) {
      text += `${name}${part}${labelText(labels)} ${numberText(value)}\n`;
    }
  }
  return text;
}

/** A family with one sample and no labels. */
function single(type: "counter" | "gauge") {
  return (name: string, help: string, read: () => number): Family => ({
    name,
    help,
    type,
    samples: () => [{ value: read() }],
  });
}

export const counter = single("counter");
export const gauge = single("gauge");

/** A family of samples that differ by one label. */
export function labelled(
  type: "counter" | "gauge",
  name: string,
  help: string,
  label: string,
  read: () => Iterable<readonly [string, number]>,
): Family {
  return {
    name,
    help,
    type,
    samples: () => Array.from(read(), ([of, value]) => ({ labels: { [label]: of }, value })),
  };
}

function labelText(labels: Labels | undefined): string {
  if (labels === undefined) return "";
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

export function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
