/** Each value once, under a number. A value that nobody holds any more is forgotten, and its number given anew. */
export class Interned<T> {
  readonly #values: (T | undefined)[] = [];
  readonly #holders: number[] = [];
  readonly #numbers = new Map<T, number>();
  readonly #free: number[] = [];

  /** Its number, held once more. */
  hold(value: T): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) {
      this.#holders[known]!++;
      return known;
    }
    const number = this.#free.pop() ?? this.#values.length;
    this.#values[number] = value;
    this.#holders[number] = 1;
    this.#numbers.set(value, number);
    return number;
  }

  release(number: number): void {
    if (--this.#holders[number]! > 0) return;
    this.#numbers.delete(this.#values[number]!);
    this.#values[number] = undefined;
    this.#free.push(number);
  }

  /** Of a number that is held. */
  at(number: number): T {
    return this.#values[number]!;
  }
}
