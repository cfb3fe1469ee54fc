/** Maximise objective·y subject to matrix·y ≤ limits, y ≥ 0; `matrix` has one row a limit. Limits must not be negative. */
export interface LinearProgram {
  readonly rows: number;
  readonly columns: number;
  readonly matrix: Float64Array;
  readonly limits: Float64Array;
  readonly objective: Float64Array;
}

export interface LinearSolution {
  /** One value a column; always feasible. */
  readonly values: Float64Array;
  /** What one more unit of each limit is worth: the solution of the dual program, exact only at the optimum. */
  readonly duals: Float64Array;
  readonly objective: number;
}

/**
 * The simplex method on a condensed dense tableau, from the feasible basis of slacks; each pivot costs rows × columns. The
 * steepest column enters, the first among equals. Stopped after `maxPivots`, the values are feasible but not the best.
 */
export function maximise(program: LinearProgram, maxPivots: number): LinearSolution {
  const { rows, columns, matrix, limits, objective } = program;
  const width = columns + 1;
  const tableau = new Float64Array((rows + 1) * width);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) tableau[i * width + j] = matrix[i * columns + j]!;
    tableau[i * width + columns] = limits[i]!;
  }
  for (let j = 0; j < columns; j++) tableau[rows * width + j] = -objective[j]!;
  // Variables 0… are the columns', columns… the slacks of the rows.
  const inRow = Int32Array.from({ length: rows }, (_, i) => columns + i);
  const inColumn = Int32Array.from({ length: columns }, (_, j) => j);
  for (let pivots = 0; pivots < maxPivots && pivot(tableau, rows, width, inRow, inColumn); pivots++);
  const values = new Float64Array(columns);
  const duals = new Float64Array(rows);
  for (let i = 0; i < rows; i++) if (inRow[i]! < columns) values[inRow[i]!] = tableau[i * width + columns]!;
  for (let j = 0; j < columns; j++) {
    const dual = tableau[rows * width + j]!;
    if (inColumn[j]! >= columns && dual > 0) duals[inColumn[j]! - columns] = dual;
  }
  return { values, duals, objective: tableau[rows * width + columns]! };
}

/** One step; false at the optimum. */
function pivot(tableau: Float64Array, rows: number, width: number, inRow: Int32Array, inColumn: Int32Array): boolean {
  const last = width - 1;
  const enter = steepest(tableau, rows * width, last);
  if (enter < 0) return false;
  let leave = -1;
  let tightest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) {
    const a = tableau[i * width + enter]!;
    if (a <= 1e-9) continue;
    const ratio = tableau[i * width + last]! / a;
    if (ratio < tightest) {
      tightest = ratio;
      leave = i;
    }
  }
  if (leave < 0) return false;
  const from = leave * width;
  const inverse = 1 / tableau[from + enter]!;
  for (let j = 0; j < width; j++) tableau[from + j]! *= inverse;
  tableau[from + enter] = inverse;
  for (let i = 0; i <= rows; i++) {
    if (i === leave) continue;
    const to = i * width;
    const factor = tableau[to + enter]!;
    if (factor === 0) continue;
    for (let j = 0; j < width; j++) tableau[to + j]! -= factor * tableau[from + j]!;
    tableau[to + enter] = -factor * inverse;
  }
  const leaving = inRow[leave]!;
  inRow[leave] = inColumn[enter]!;
  inColumn[enter] = leaving;
  return true;
}

function steepest(tableau: Float64Array, offset: number, columns: number): number {
  let found = -1;
  let least = -1e-7;
  for (let j = 0; j < columns; j++) {
    if (tableau[offset + j]! < least) {
      least = tableau[offset + j]!;
      found = j;
    }
  }
  return found;
}
