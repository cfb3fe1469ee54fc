import type { SeriesDefinition } from "./definition.ts";

/** A series with its values. Blocks are whole lines, each block small enough to be one write. */
export interface Family {
  readonly definition: SeriesDefinition;
  blocks(nowMs: number): Iterable<string>;
}

/**
 * Longer than this a block is not made on purpose: it is garbage before the next one is made, and the event loop gets its
 * turn between two of them.
 */
const maxBlockLength = 16_000;

/** Lines put together to blocks. */
export function* inBlocks(lines: Iterable<string>): Generator<string> {
  let block = "";
  for (const line of lines) {
    block += line;
    if (block.length < maxBlockLength) continue;
    yield block;
    block = "";
  }
  yield block;
}

/** Content-Type of the text format that `exposition` writes. */
export const expositionContentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The families in Prometheus' text format 0.0.4, in pieces, so that a scrape of 100,000 pods is never one string. A
 * family without values is left out, as Prometheus' own clients do.
 */
export function* exposition(families: Iterable<Family>, nowMs: number): Generator<string> {
  for (const { definition, blocks } of families) {
    let head = `# HELP ${definition.name} ${escapeHelp(definition.help)}\n# TYPE ${definition.name} ${definition.type}\n`;
    for (const block of blocks(nowMs)) {
      if (block === "") continue;
      yield head + block;
      head = "";
    }
  }
}

function escapeHelp(help: string): string {
  return help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** One label as it stands between the braces. */
export function labelText(name: string, value: string): string {
  return `${name}="${/["\\\n]/.test(value) ? escapeValue(value) : value}"`;
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** Labels as they stand between the braces, in the given order. */
export function labelsText(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => labelText(name, values[index] ?? "")).join(",");
}

/** One line. `labels` as `labelsText` writes them; empty: none. */
export function sampleLine(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${valueText(value)}\n` : `${name}{${labels}} ${valueText(value)}\n`;
}

export function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}
