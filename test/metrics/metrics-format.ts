/** A strict reader of the Prometheus text format: throws on whatever a scraper might stumble over. */
import assert from "node:assert/strict";

export interface ParsedSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface ParsedFamily {
  name: string;
  help: string;
  type: string;
  samples: ParsedSample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^\n]*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

export function parseExposition(text: string): Map<string, ParsedFamily> {
  assert.ok(text.endsWith("\n"), "the last line must end");
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  let current: ParsedFamily = { name: "", help: "", type: "", samples: [] };
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) (\S+) ([^\n]+)$/.exec(line);
    if (comment?.[1] === "HELP") {
      const [, , name, help] = comment as unknown as string[];
      assert.match(name!, metricName);
      assert.ok(!families.has(name!), `${name} comes twice`);
      current = { name: name!, help: help!, type: "", samples: [] };
      families.set(name!, current);
    } else if (comment?.[1] === "TYPE") {
      assert.equal(comment[2], current.name, "TYPE must follow HELP of the same name");
      assert.equal(current.type, "", "TYPE comes once");
      assert.match(comment[3]!, /^(counter|gauge|histogram)$/);
      current.type = comment[3]!;
    } else {
      const sample = parseSample(line);
      assert.notEqual(current.type, "", `a sample before its TYPE: ${line}`);
      assertBelongs(sample, current);
      const identity = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`;
      assert.ok(!seen.has(identity), `a sample comes twice: ${line}`);
      seen.add(identity);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) {
    if (family.type === "counter") {
      assert.match(family.name, /_total$/, "the name of a counter ends with _total");
      for (const { value } of family.samples) assert.ok(value >= 0);
    }
    if (family.type === "histogram") assertHistogram(family);
  }
  return families;
}

function parseSample(line: string): ParsedSample {
  const match = sampleLine.exec(line);
  assert.ok(match !== null, `not a sample: ${line}`);
  const [, name, labelText, number] = match;
  const labels: Record<string, string> = {};
  labelPair.lastIndex = 0;
  while (labelText !== undefined && labelPair.lastIndex < labelText.length) {
    const pair = labelPair.exec(labelText);
    assert.ok(pair !== null, `malformed labels: ${line}`);
    assert.ok(!(pair[1]! in labels), `a label comes twice: ${line}`);
    labels[pair[1]!] = pair[2]!.replaceAll(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char));
  }
  assert.match(number!, /^([+-]?(\d+(\.\d+)?(e[+-]?\d+)?|Inf)|NaN)$/, `not a number: ${line}`);
  return { name: name!, labels, value: parseNumber(number!) };
}

function parseNumber(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}

function assertBelongs(sample: ParsedSample, family: ParsedFamily): void {
  const allowed =
    family.type === "histogram"
      ? [`${family.name}_bucket`, `${family.name}_sum`, `${family.name}_count`]
      : [family.name];
  assert.ok(allowed.includes(sample.name), `${sample.name} is not of ${family.name}`);
}

function assertHistogram(family: ParsedFamily): void {
  const series = new Map<string, ParsedSample[]>();
  for (const sample of family.samples) {
    const { le: _, ...others } = sample.labels;
    const key = JSON.stringify(Object.entries(others).sort());
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const samples of series.values()) {
    const of = (part: string) => samples.filter(({ name }) => name === family.name + part);
    const buckets = of("_bucket");
    const bounds = buckets.map(({ labels }) => parseNumber(labels.le!));
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, "the last bucket is +Inf");
    assert.deepEqual(
      bounds,
      [...new Set(bounds)].sort((a, b) => a - b),
      "bounds rise",
    );
    buckets.forEach(({ value }, at) => {
      assert.ok(value >= (buckets[at - 1]?.value ?? 0), `${family.name}: buckets are cumulative`);
    });
    assert.equal(of("_sum").length, 1);
    assert.equal(of("_count").length, 1);
    assert.equal(of("_count")[0]!.value, buckets.at(-1)!.value, "_count is the +Inf bucket");
  }
}

/** The value of the one sample with these labels. */
export function sampleValue(
  families: Map<string, ParsedFamily>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const all = [...families.values()].flatMap(({ samples }) => samples);
  const found = all.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  assert.equal(found.length, 1, `${name}${JSON.stringify(labels)} matches ${found.length} samples`);
  return found[0]!.value;
}
