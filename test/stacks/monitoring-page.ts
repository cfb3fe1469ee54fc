// The tables of docs/monitoring.md, as the lists of metrics and alarms give them. `UPDATE_DOCS=1 npx vitest run --config
// test/vitest.config.ts test/stacks/monitoring.test.ts` writes them into the page.
import { readFileSync, writeFileSync } from "node:fs";
import { alarmRules } from "../../stacks/alarms.ts";
import { dimensionSets, type Metric, type MetricKind, metrics } from "../../stacks/metrics.ts";
import { monitored } from "./monitored-input.ts";

const page = new URL("../../docs/monitoring.md", import.meta.url);

export const readPage = (): string => readFileSync(page, "utf8");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const setsOf = (metric: Metric): string =>
  dimensionSets(metric)
    .map((set) => (set.length === 0 ? "–" : set.join(" × ")))
    .join(", ");

function metricsTable(kind: MetricKind): string {
  const rows = metrics
    .filter((metric) => metric.kind === kind)
    .map((metric) => [
      `\`${metric.name}\``,
      setsOf(metric),
      metric.properties.join(", "),
      metric.from.join(", "),
      metric.meaning,
    ]);
  return table(["metric", "dimensions", "also in the line", "written by", "meaning"], rows);
}

function alarmsTable(): string {
  const rules = [...new Map(alarmRules(monitored).map((rule) => [rule.id, rule])).values()];
  return table(
    ["alarm", "goes off", "no value means"],
    rules.map(({ id, meaning, missing }) => [
      `[${id}](#${id})`,
      meaning,
      `${missing.as === "breaching" ? "**trouble**" : "well"}: ${missing.because}`,
    ]),
  );
}

/** By the marker that the page has around it. */
export const tables: Readonly<Record<string, string>> = {
  gauges: metricsTable("gauge"),
  counts: metricsTable("count"),
  durations: metricsTable("duration"),
  alarms: alarmsTable(),
};

const marked = (name: string) => new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- /${name} -->)`);

/** A page's text with its tables as they are without the spaces that line their columns up. */
export function unaligned(text: string): string {
  return text.replaceAll(/^\|.*\|$/gm, (row) => {
    const cells = row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replace(/^-+$/, "---"));
    return `| ${cells.join(" | ")} |`;
  });
}

/** What stands between a table's markers. */
export function tableIn(text: string, name: string): string | undefined {
  const found = marked(name).exec(text)?.[0].split("\n").slice(1, -1).join("\n").trim();
  return found === undefined ? undefined : unaligned(found);
}

export function writePage(): void {
  let text = readPage();
  for (const [name, content] of Object.entries(tables)) {
    text = text.replace(marked(name), (_all, start: string, end: string) => `${start}\n${content}\n${end}`);
  }
  writeFileSync(page, text);
}
