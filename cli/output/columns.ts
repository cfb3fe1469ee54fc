export interface Column {
  readonly title: string;
  readonly align?: "right";
}

/** Rows under titles, columns aligned, without trailing spaces. */
export function columns(titles: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = titles.map(({ title }, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), title.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        titles[column]!.align === "right" ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return [line(titles.map(({ title }) => title)), ...rows.map(line)];
}
