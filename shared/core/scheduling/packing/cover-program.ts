/** A column or a surplus is worth bringing in when it saves more than this share of its price. */
const tolerance = 1e-9;
/** Numbers of the surplus variables: one a row, from here on. */
const surplusFrom = 1 << 30;

/**
 * Least cost of columns that cover a demand: min price·x, A x ≥ demand, x ≥ 0. The revised simplex method (Dantzig 1953) with
 * a dense inverse of the basis; columns are sparse, and may be added between two solves, which go on where the last one
 * ended. A pivot costs rows² and a look at every column. What no column covers stays uncovered at a penalty.
 */
export class CoverProgram {
  readonly #rows: number;
  readonly #penalties: Float64Array;
  readonly #prices: number[] = [];
  readonly #lengths: number[] = [];
  /** Where each column begins in `#index` and `#amount`; one more at the end. */
  readonly #from: number[] = [0];
  #index = new Int32Array(1_024);
  #amount = new Float64Array(1_024);
  /** Of each row of the basis its column; −1 − i: demand i uncovered; `surplusFrom` + i: demand i covered more than once. */
  readonly #basis: Int32Array;
  readonly #inverse: Float64Array;
  readonly #basic: Float64Array;
  readonly #duals: Float64Array;
  readonly #direction: Float64Array;

  /** `penalties`: price of leaving one unit of a row uncovered. Both of one number a row. */
  constructor(demand: Float64Array, penalties: Float64Array) {
    const rows = demand.length;
    this.#rows = rows;
    this.#penalties = penalties;
    this.#basis = Int32Array.from({ length: rows }, (_, i) => -1 - i);
    this.#inverse = new Float64Array(rows * rows);
    for (let i = 0; i < rows; i++) this.#inverse[i * rows + i] = 1;
    this.#basic = demand.slice();
    this.#duals = penalties.slice();
    this.#direction = new Float64Array(rows);
  }

  /** What one more unit of a row's demand costs; never negative at the optimum. */
  get duals(): Float64Array {
    return this.#duals;
  }

  /** A column that covers `amounts` of the rows `indices`, each of which is there once. */
  add(price: number, indices: Int32Array, amounts: Int32Array): void {
    const from = this.#from.at(-1)!;
    const to = from + indices.length;
    if (to > this.#index.length) {
      const [index, amount] = [new Int32Array(to * 2), new Float64Array(to * 2)];
      index.set(this.#index);
      amount.set(this.#amount);
      this.#index = index;
      this.#amount = amount;
    }
    this.#index.set(indices, from);
    this.#amount.set(amounts, from);
    this.#from.push(to);
    this.#prices.push(price);
    this.#lengths.push(Math.sqrt(amounts.reduce((sum, amount) => sum + amount * amount, 0)));
  }

  /** Pivots to the optimum, or as often as allowed; returns how many it took. */
  solve(maxPivots: number): number {
    let pivots = 0;
    while (pivots < maxPivots && this.#step()) pivots++;
    return pivots;
  }

  /** How much of each column. */
  amounts(): Float64Array {
    const amounts = new Float64Array(this.#prices.length);
    this.#basis.forEach((column, row) => {
      if (column >= 0 && column < surplusFrom) amounts[column] = Math.max(0, this.#basic[row]!);
    });
    return amounts;
  }

  /** False at the optimum. */
  #step(): boolean {
    const column = this.#bestColumn();
    const enter = column >= 0 ? column : this.#bestSurplus();
    if (enter < 0) return false;
    const gain = this.#aim(enter);
    const leave = this.#leaving();
    if (leave < 0) return false;
    this.#pivot(enter, leave, gain);
    return true;
  }

  /** The column that saves most for its length; −1: none saves anything. */
  #bestColumn(): number {
    const [prices, lengths, from, index, amount, duals] = [
      this.#prices,
      this.#lengths,
      this.#from,
      this.#index,
      this.#amount,
      this.#duals,
    ];
    let best = -1;
    let least = 0;
    for (let j = 0, k = 0; j < prices.length; j++) {
      const price = prices[j]!;
      let reduced = price;
      for (const end = from[j + 1]!; k < end; k++) reduced -= duals[index[k]!]! * amount[k]!;
      if (reduced < -tolerance * price && reduced < least * lengths[j]!) {
        least = reduced / lengths[j]!;
        best = j;
      }
    }
    return best;
  }

  #bestSurplus(): number {
    let best = -1;
    let least = 0;
    for (let i = 0; i < this.#rows; i++) {
      const dual = this.#duals[i]!;
      if (dual < least && dual < -tolerance * this.#penalties[i]!) {
        least = dual;
        best = surplusFrom + i;
      }
    }
    return best;
  }

  /** Works out the direction in which the basic amounts shrink while a variable enters; returns its reduced cost. */
  #aim(enter: number): number {
    const [rows, inverse, direction] = [this.#rows, this.#inverse, this.#direction];
    if (enter >= surplusFrom) {
      const column = enter - surplusFrom;
      for (let i = 0; i < rows; i++) direction[i] = -inverse[i * rows + column]!;
      return this.#duals[column]!;
    }
    direction.fill(0);
    let reduced = this.#prices[enter]!;
    for (let k = this.#from[enter]!; k < this.#from[enter + 1]!; k++) {
      const column = this.#index[k]!;
      const amount = this.#amount[k]!;
      reduced -= this.#duals[column]! * amount;
      for (let i = 0; i < rows; i++) direction[i]! += inverse[i * rows + column]! * amount;
    }
    return reduced;
  }

  #leaving(): number {
    let leave = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#rows; i++) {
      if (this.#direction[i]! <= 1e-9) continue;
      const ratio = Math.max(0, this.#basic[i]!) / this.#direction[i]!;
      // Among equals the surest pivot.
      if (ratio < least || (ratio === least && this.#direction[i]! > this.#direction[leave]!)) {
        least = ratio;
        leave = i;
      }
    }
    return leave;
  }

  #pivot(enter: number, leave: number, gain: number): void {
    const [rows, inverse, direction, basic, duals] = [
      this.#rows,
      this.#inverse,
      this.#direction,
      this.#basic,
      this.#duals,
    ];
    const from = leave * rows;
    const scale = 1 / direction[leave]!;
    for (let k = 0; k < rows; k++) inverse[from + k]! *= scale;
    const amount = basic[leave]! * scale;
    for (let i = 0; i < rows; i++) {
      const factor = direction[i]!;
      if (i === leave || factor === 0) continue;
      const to = i * rows;
      for (let k = 0; k < rows; k++) inverse[to + k]! -= factor * inverse[from + k]!;
      basic[i]! -= factor * amount;
    }
    basic[leave] = amount;
    for (let k = 0; k < rows; k++) duals[k]! += gain * inverse[from + k]!;
    this.#basis[leave] = enter;
  }
}
