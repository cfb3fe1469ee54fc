// The tables of docs/cost.md: found by the comments around them, read as data, and written again.
import { readFileSync, writeFileSync } from "node:fs";

export const costPage = new URL("../../docs/cost.md", import.meta.url);

/** Rows by their first cell, cells by their column's title. */
export type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const readPage = (): string => readFileSync(costPage, "utf8");

function bounds(page: string, name: string): readonly [number, number] {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`docs/cost.md has no table between <!-- ${name} --> and <!-- /${name} -->`);
  return [from + start.length, to];
}

export function readTable(page: string, name: string): Table {
  const lines = page
    .slice(...bounds(page, name))
    .trim()
    .split("\n");
  const cellsOf = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", ""));
  const [titles = [], , ...rows] = lines.map(cellsOf);
  return Object.fromEntries(
    rows.map((cells) => [cells[0]!, Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ""]))]),
  );
}

/** A column of whole numbers, by row. Throws for a cell that is none. */
export function readNumbers(table: Table, column: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(table).map(([row, cells]) => {
      const text = cells[column]?.replaceAll(",", "") ?? "";
      if (!/^\d+$/.test(text)) throw new Error(`docs/cost.md: ${row}, ${column}: "${text}" is no whole number`);
      return [row, Number(text)];
    }),
  );
}

export const grouped = (value: number): string => String(Math.ceil(value)).replace(/\B(?=(\d{3})+$)/g, ",");

/** The first column to the left, numbers to the right. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(titles), rule, ...rows.map(line)].join("\n");
}

export function withTable(page: string, name: string, table: string): string {
  const [from, to] = bounds(page, name);
  return `${page.slice(0, from)}\n${table}\n\n${page.slice(to)}`;
}

export const writePage = (page: string): void => writeFileSync(costPage, page);

/** Set to 1, the tables are written instead of held against what is there. */
export const writes = process.env.TIMMERMAN_COST_WRITE === "1";
