// A strict reader of Prometheus' text format 0.0.4, for tests: it throws on everything that the format's description does
// not allow, and on duplicate series, which a scrape would drop.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const types = ["counter", "gauge", "histogram", "summary", "untyped"];

/** Names that samples of a family may have. The last of a summary's is ours: see docs/metrics.md. */
function sampleNames(name: string, type: string): readonly string[] {
  if (type === "histogram") return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  if (type === "summary") return [name, `${name}_sum`, `${name}_count`, `${name}_bucket`];
  return [name];
}

export function parseExposition(text: string): ReadonlyMap<string, ParsedFamily> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const series = new Set<string>();
  let help: readonly [string, string] | undefined;
  let current: string | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment !== null) {
      const [, kind, name, rest] = comment as unknown as [string, string, string, string];
      if (kind === "HELP") help = [name, rest];
      else {
        if (help?.[0] !== name) throw new Error(`TYPE of ${name} does not follow its HELP`);
        if (!metricName.test(name) || !types.includes(rest)) throw new Error(`not a family: ${line}`);
        if (families.has(name)) throw new Error(`${name} has two families`);
        families.set(name, { type: rest, help: help[1], samples: [] });
        current = name;
      }
      continue;
    }
    const family = families.get(current ?? "");
    if (family === undefined || current === undefined) throw new Error(`a sample before any family: ${line}`);
    const sample = parseSample(line);
    if (!sampleNames(current, family.type).includes(sample.name))
      throw new Error(`${line} does not belong to ${current}`);
    const identity = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (series.has(identity)) throw new Error(`twice: ${line}`);
    series.add(identity);
    family.samples.push(sample);
  }
  for (const [name, { type, samples }] of families) checkFamily(name, type, samples);
  return families;
}

function parseSample(line: string): Sample {
  const head = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{|\s)/.exec(line);
  if (head === null) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  let at = head[1]!.length;
  if (line[at] === "{") {
    const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|\})/y;
    label.lastIndex = at + 1;
    for (;;) {
      const match = label.exec(line);
      if (match === null) throw new Error(`labels cannot be read: ${line}`);
      if (Object.hasOwn(labels, match[1]!)) throw new Error(`a label twice: ${line}`);
      labels[match[1]!] = match[2]!.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
      at = label.lastIndex;
      if (match[3] === "}") break;
    }
  }
  const value = /^ (NaN|[+-]Inf|-?\d+(\.\d+)?(e[+-]?\d+)?)$/.exec(line.slice(at));
  if (value === null) throw new Error(`value cannot be read: ${line}`);
  return { name: head[1]!, labels, value: Number(value[1]!.replace("Inf", "Infinity")) };
}

function checkFamily(name: string, type: string, samples: readonly Sample[]): void {
  if (samples.length === 0) throw new Error(`${name} has no samples`);
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} counts below zero`);
  const groups = new Map<string, Sample[]>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le: _, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, buckets] of groups) {
    const bounds = buckets.map(({ labels }) => Number(labels.le!.replace("Inf", "Infinity")));
    const rising = (values: readonly number[], strict: boolean) =>
      values.every(
        (value, index) => index === 0 || (strict ? value > values[index - 1]! : value >= values[index - 1]!),
      );
    if (!rising(bounds, true) || bounds.at(-1) !== Number.POSITIVE_INFINITY)
      throw new Error(`${name}: bounds of ${key}`);
    if (
      !rising(
        buckets.map(({ value }) => value),
        false,
      )
    )
      throw new Error(`${name}: buckets of ${key} fall`);
    const count = samples.find((one) => one.name === `${name}_count` && JSON.stringify(one.labels) === key);
    if (count?.value !== buckets.at(-1)?.value) throw new Error(`${name}: _count of ${key} is not its last bucket`);
  }
}
