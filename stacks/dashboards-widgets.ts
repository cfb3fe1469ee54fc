import { dimensionSets, metricNamed, namespace } from "./metrics.ts";

/** CloudWatch's grid. */
export const gridWidth = 24;

type Options = {
  readonly label?: string;
  readonly stat?: string;
  readonly period?: number;
  readonly id?: string;
  readonly visible?: boolean;
};

/** A metric as dashboards write it: namespace, name, pairs of dimensions, options; or a formula. */
export type Line<Name> = readonly (string | Name | Options)[] | readonly [Options & { readonly expression: string }];

export interface Graph<Name> {
  readonly title: string;
  readonly lines: readonly Line<Name>[];
  readonly width?: number;
  readonly height?: number;
  readonly stacked?: boolean;
  readonly view?: "timeSeries" | "singleValue";
  /** Of the left axis. */
  readonly unit?: string;
  readonly stat?: string;
  /** Seconds. */
  readonly period?: number;
}

export interface Text {
  readonly markdown: string;
  readonly height?: number;
}

export type Cell<Name> = Graph<Name> | Text;

export interface Widget<Name> {
  readonly type: "metric" | "text";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: Readonly<Record<string, unknown>> & { readonly metrics?: readonly Line<Name>[] };
}

const standardHeight = 6;
export const minutePeriod = 60;
/** A gauge of an idle cluster comes every ten minutes, and a minute later at the latest. */
export const gaugePeriod = 900;

/**
 * A metric of ours. Throws a RangeError when nobody writes it with these dimensions: its line would stay empty.
 */
export function own<Name>(
  name: string,
  dimensions: Readonly<Record<string, Name | string>>,
  options: Options = {},
): Line<Name> {
  const { service: _all, ...others } = dimensions;
  const asked = Object.keys(others).sort().join();
  const sets = dimensionSets(metricNamed(name)).map((set) => [...set].sort().join());
  if (!sets.includes(asked))
    throw new RangeError(`${name} is not written by ${asked || "service"}: ${sets.join("; ")}`);
  return [namespace, name, ...Object.entries(dimensions).flat(), options];
}

export function formula<Name>(expression: string, label: string, period?: number): Line<Name> {
  return [{ expression, label, ...(period === undefined ? {} : { period }) }];
}

/** A gauge summed over all clusters (of the first 500 that CloudWatch's search finds). */
export function overClusters(name: string, deployment: string, label: Readonly<Record<string, string>> = {}): string {
  const names = ["service", "cluster", ...Object.keys(label)];
  const terms = Object.entries({ MetricName: metricNamed(name).name, service: deployment, ...label });
  const where = terms.map(([key, value]) => `${key}="${value}"`).join(" ");
  return `SUM(SEARCH('{${[namespace, ...names].join(",")}} ${where}', 'Maximum', ${gaugePeriod}))`;
}

/** The clusters with the most of it (of up to 10,000). A graph can have one query. */
export function topClusters<Name>(
  name: string,
  deployment: string,
  period: number,
  aggregate: "MAX" | "SUM",
): Line<Name> {
  const metric = metricNamed(name).name;
  const query = `SELECT ${aggregate}("${metric}") FROM SCHEMA("${namespace}", cluster, service) WHERE service = '${deployment}' GROUP BY cluster ORDER BY ${aggregate}() DESC LIMIT 10`;
  return [{ expression: query, label: "", id: "top", period }];
}

/** Puts cells into rows from left to right, a new row where one would stick out. */
export function layOut<Name>(cells: readonly Cell<Name>[], region: string): Widget<Name>[] {
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  return cells.map((cell) => {
    const width = "markdown" in cell ? gridWidth : (cell.width ?? gridWidth / 3);
    const height = cell.height ?? ("markdown" in cell ? 2 : standardHeight);
    if (x + width > gridWidth) {
      x = 0;
      y += rowHeight;
      rowHeight = 0;
    }
    const at = { x, y, width, height };
    x += width;
    rowHeight = Math.max(rowHeight, height);
    if ("markdown" in cell) return { type: "text", ...at, properties: { markdown: cell.markdown } };
    const { title, lines, stacked = false, view = "timeSeries", unit, stat = "Sum", period = minutePeriod } = cell;
    const yAxis = unit === undefined ? { left: { min: 0 } } : { left: { min: 0, label: unit, showUnits: false } };
    return { type: "metric", ...at, properties: { title, region, view, stacked, stat, period, yAxis, metrics: lines } };
  });
}
