/** A generated table: families that are alike, with spaces between them → size → figure. It is a quarter as large as one by type. */
export type FamilyFigures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The same by instance type. */
export function figuresByType(table: FamilyFigures): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [families, sizes] of Object.entries(table)) {
    for (const family of families.split(" ")) {
      for (const [size, figure] of Object.entries(sizes)) found.set(`${family}.${size}`, figure);
    }
  }
  return found;
}
