/** Words of a uid: 128 bits. */
const words = 4;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const firstSlots = 1024;

/**
 * Which slot a uid has. API servers make UUIDs: those are kept as 16 bytes and found by an open table of slots, a third of
 * what texts in a Map take. Any other text goes into a Map.
 */
export class UidIndex {
  #bits = new Uint32Array(firstSlots * words);
  /** Slot + 1, or 0; at most half full. Linear probing, without tombstones. */
  #table = new Uint32Array(firstSlots * 2);
  #size = 0;
  readonly #texts = new Map<string, number>();
  readonly #textOf = new Map<number, string>();
  readonly #sought = new Uint32Array(words);

  /** undefined: there is none. */
  find(uid: string): number | undefined {
    if (!this.#read(uid)) return this.#texts.get(uid);
    const slot = this.#table[this.#placeOf(this.#sought, 0)]!;
    return slot === 0 ? undefined : slot - 1;
  }

  /** The uid must not be there yet, nor the slot be taken. */
  add(uid: string, slot: number): void {
    if (!this.#read(uid)) {
      this.#texts.set(uid, slot);
      this.#textOf.set(slot, uid);
      return;
    }
    this.#grow(slot);
    this.#bits.set(this.#sought, slot * words);
    this.#table[this.#placeOf(this.#sought, 0)] = slot + 1;
    this.#size++;
  }

  delete(slot: number): void {
    const text = this.#textOf.get(slot);
    if (text !== undefined) {
      this.#texts.delete(text);
      this.#textOf.delete(slot);
      return;
    }
    this.#close(this.#placeOf(this.#bits, slot * words));
    this.#size--;
  }

  /** Of a slot that is taken. */
  uidAt(slot: number): string {
    const text = this.#textOf.get(slot);
    if (text !== undefined) return text;
    const from = slot * words;
    const hex = (word: number) => this.#bits[from + word]!.toString(16).padStart(8, "0");
    const [second, third] = [hex(1), hex(2)];
    return `${hex(0)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(3)}`;
  }

  /** Into `#sought`. False: it is no UUID in small letters. */
  #read(uid: string): boolean {
    if (!uuid.test(uid)) return false;
    const digits = uid.replaceAll("-", "");
    for (let word = 0; word < words; word++) {
      this.#sought[word] = Number.parseInt(digits.slice(word * 8, word * 8 + 8), 16);
    }
    return true;
  }

  /** Where the uid's entry is in the table, or would be. */
  #placeOf(bits: Uint32Array, from: number): number {
    const mask = this.#table.length - 1;
    for (let place = this.#homeOf(bits, from); ; place = (place + 1) & mask) {
      const entry = this.#table[place]!;
      if (entry === 0 || this.#isAt((entry - 1) * words, bits, from)) return place;
    }
  }

  #isAt(at: number, bits: Uint32Array, from: number): boolean {
    for (let word = 0; word < words; word++) if (this.#bits[at + word] !== bits[from + word]) return false;
    return true;
  }

  #homeOf(bits: Uint32Array, from: number): number {
    let hash = 0;
    for (let word = 0; word < words; word++) {
      hash = Math.imul(hash ^ bits[from + word]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (this.#table.length - 1);
  }

  /** Empties a place of the table; entries behind it that were pushed on from there or before move up. */
  #close(gap: number): void {
    const mask = this.#table.length - 1;
    let hole = gap;
    for (let place = (hole + 1) & mask; this.#table[place] !== 0; place = (place + 1) & mask) {
      const home = this.#homeOf(this.#bits, (this.#table[place]! - 1) * words);
      if (((place - home) & mask) < ((place - hole) & mask)) continue;
      this.#table[hole] = this.#table[place]!;
      hole = place;
    }
    this.#table[hole] = 0;
  }

  #grow(slot: number): void {
    if ((slot + 1) * words > this.#bits.length) {
      const bits = new Uint32Array(Math.ceil((slot + 1) * 1.5) * words);
      bits.set(this.#bits);
      this.#bits = bits;
    }
    if ((this.#size + 1) * 2 <= this.#table.length) return;
    const former = this.#table;
    this.#table = new Uint32Array(former.length * 2);
    for (const entry of former) {
      if (entry !== 0) this.#table[this.#placeOf(this.#bits, (entry - 1) * words)] = entry;
    }
  }
}
