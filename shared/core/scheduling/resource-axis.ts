import { own, type Resources } from "../model/index.ts";

/** The resources that somebody asks for, as columns of the typed arrays. */
export class ResourceAxis {
  readonly names: readonly string[];
  readonly #columns: ReadonlyMap<string, number>;
  /** Whether any name is one that every object inherits ("constructor"): then amounts are looked up with more care. */
  readonly #inherits: boolean;

  constructor(names: Iterable<string>) {
    this.names = [...new Set(names)].sort();
    this.#inherits = this.names.some((name) => name in Object.prototype);
    this.#columns = new Map(this.names.map((name, column) => [name, column]));
  }

  get size(): number {
    return this.names.length;
  }

  column(name: string): number | undefined {
    return this.#columns.get(name);
  }

  /** Writes amounts into row `row` of `matrix`; resources off the axis are left out. */
  write(amounts: Resources, matrix: Float64Array, row: number): void {
    const offset = row * this.names.length;
    for (let column = 0; column < this.names.length; column++) {
      matrix[offset + column] = this.#amount(amounts, column);
    }
  }

  /** A row as amounts by name; what is 0 is left out, and so is what is no resource of Kubernetes (its names have no spaces). */
  read(row: Float64Array): Resources {
    const amounts: Record<string, number> = {};
    this.names.forEach((name, column) => {
      if (row[column] !== 0 && !name.includes(" ")) amounts[name] = row[column]!;
    });
    return amounts;
  }

  /** Adds `factor` × amounts to row `row`. */
  add(amounts: Resources, matrix: Float64Array, row: number, factor: number): void {
    const offset = row * this.names.length;
    for (let column = 0; column < this.names.length; column++) {
      matrix[offset + column]! += factor * this.#amount(amounts, column);
    }
  }

  #amount(amounts: Resources, column: number): number {
    const name = this.names[column]!;
    return (this.#inherits ? own(amounts, name) : amounts[name]) ?? 0;
  }
}
