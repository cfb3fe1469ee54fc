import type { SeriesDefinition } from "./definition.ts";
import { type Family, inBlocks, labelsText, labelText, sampleLine, valueText } from "./exposition.ts";

/** Values of the labels, in the definition's order. */
export type LabelValues = readonly string[];

export interface Counter extends Family {
  add(values: LabelValues, by?: number): void;
}

export interface Histogram extends Family {
  observe(values: LabelValues, amount: number): void;
}

/** Counts from when it is made; what was never counted has no line. */
export function createCounter(definition: SeriesDefinition): Counter {
  const totals = new Map<string, number>();
  return {
    definition,
    add(values, by = 1) {
      const labels = labelsText(definition.labels, values);
      totals.set(labels, (totals.get(labels) ?? 0) + by);
    },
    *blocks() {
      yield [...totals].map(([labels, total]) => sampleLine(definition.name, labels, total)).join("");
    },
  };
}

/** A gauge whose values are worked out when they are asked for. */
export function createGauge(
  definition: SeriesDefinition,
  read: (nowMs: number) => Iterable<readonly [values: LabelValues, value: number]>,
): Family {
  return {
    definition,
    blocks: (nowMs) => inBlocks(gaugeLines(definition, read(nowMs))),
  };
}

function* gaugeLines(
  { name, labels }: SeriesDefinition,
  samples: Iterable<readonly [values: LabelValues, value: number]>,
): Generator<string> {
  for (const [values, value] of samples) yield sampleLine(name, labelsText(labels, values), value);
}

interface Cells {
  /** Per bucket, not cumulative; the last is what lies above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** Amounts by label values, counted in buckets. */
class BucketCounts {
  readonly cells = new Map<string, Cells>();
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: string, amount: number): void {
    let cells = this.cells.get(labels);
    if (cells === undefined) {
      cells = { counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 };
      this.cells.set(labels, cells);
    }
    const index = this.#bounds.findIndex((bound) => amount <= bound);
    cells.counts[index === -1 ? this.#bounds.length : index]!++;
    cells.sum += amount;
  }

  bucketLines(name: string, labels: string, { counts }: Cells): string {
    let below = 0;
    return counts
      .map((count, index) => {
        below += count;
        const le = labelText("le", valueText(this.#bounds[index] ?? Number.POSITIVE_INFINITY));
        return sampleLine(`${name}_bucket`, labels === "" ? le : `${labels},${le}`, below);
      })
      .join("");
  }
}

function total({ counts }: Cells): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** `definition.buckets` are its bounds. */
export function createHistogram(definition: SeriesDefinition): Histogram {
  const { name } = definition;
  const buckets = new BucketCounts(definition.buckets ?? []);
  return {
    definition,
    observe: (values, amount) => buckets.observe(labelsText(definition.labels, values), amount),
    *blocks() {
      for (const [labels, cells] of buckets.cells) {
        yield buckets.bucketLines(name, labels, cells) +
          sampleLine(`${name}_sum`, labels, cells.sum) +
          sampleLine(`${name}_count`, labels, total(cells));
      }
    },
  };
}

/** A summary's quantiles are of the last ten minutes, dropped in five steps (Prometheus' Go client, its defaults). */
const windowMs = 10 * 60_000;
const slotMs = windowMs / 5;

/** Karpenter's quantiles, and 0.95, which the widespread dashboards ask for in vain. */
const quantiles = [0, 0.5, 0.9, 0.95, 0.99, 1] as const;

interface Slot {
  readonly fromMs: number;
  readonly amounts: number[];
}

/**
 * A summary, its quantiles exact over the window and NaN when nothing was observed in it. With `buckets` it has bucket
 * lines too, which count from the start: `<name>_bucket` beside the quantiles, for those who ask for
 * histogram_quantile.
 */
export function createSummary(definition: SeriesDefinition, clock: { now(): number }): Histogram {
  const { name } = definition;
  const ever = new BucketCounts(definition.buckets ?? []);
  const recent = new Map<string, Slot[]>();
  return {
    definition,
    observe(values, amount) {
      const labels = labelsText(definition.labels, values);
      ever.observe(labels, amount);
      const fromMs = Math.floor(clock.now() / slotMs) * slotMs;
      const slots = (recent.get(labels) ?? []).filter((slot) => isRecent(slot, clock.now()));
      if (slots.at(-1)?.fromMs !== fromMs) slots.push({ fromMs, amounts: [] });
      slots.at(-1)!.amounts.push(amount);
      recent.set(labels, slots);
    },
    *blocks(nowMs) {
      for (const [labels, cells] of ever.cells) {
        const slots = (recent.get(labels) ?? []).filter((slot) => isRecent(slot, nowMs));
        const amounts = slots.flatMap((slot) => slot.amounts).sort((a, b) => a - b);
        yield quantileLines(name, labels, amounts) +
          sampleLine(`${name}_sum`, labels, cells.sum) +
          sampleLine(`${name}_count`, labels, total(cells)) +
          (definition.buckets === undefined ? "" : ever.bucketLines(name, labels, cells));
      }
    },
  };
}

function isRecent({ fromMs }: Slot, nowMs: number): boolean {
  return fromMs + windowMs > nowMs;
}

/** Nearest rank. */
function quantileLines(name: string, labels: string, sorted: readonly number[]): string {
  return quantiles
    .map((quantile) => {
      const rank = Math.max(1, Math.ceil(quantile * sorted.length));
      const label = labelText("quantile", String(quantile));
      return sampleLine(name, labels === "" ? label : `${labels},${label}`, sorted[rank - 1] ?? Number.NaN);
    })
    .join("");
}
