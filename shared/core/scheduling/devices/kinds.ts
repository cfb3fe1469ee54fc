import type { Device, DeviceAsk } from "../../model/index.ts";
import { untoleratedTaint } from "../taints.ts";
import { isSelected, type Selectable } from "./selectors.ts";

/** How many devices of a kind a node has, and how many of those nobody has yet. */
export interface Stock {
  readonly all: number;
  readonly free: number;
}

/** By kind. */
export type Inventory = ReadonlyMap<number, Stock>;

type Kind = Selectable & Pick<Device, "taints">;

/** A selector that reads attributes otherwise than by a name in brackets might look at any of them. */
const anyName = /\.(?:attributes|capacity)\b(?!\s*\[\s*["'])/;

/**
 * Devices that are alike in everything that somebody asks about are of one kind: whatever no selector and no constraint
 * names (uuids, bus addresses) tells none apart, so that a thousand nodes have a few kinds.
 */
export class Kinds {
  readonly #kinds: Kind[] = [];
  readonly #byText = new Map<string, number>();
  readonly #selected = new Map<string, ReadonlySet<number>>();
  readonly #texts: readonly string[];
  readonly #readsAll: boolean;
  readonly #isNamed = new Map<string, boolean>();

  /** `texts`: all selectors and the names of all attributes that are to match. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#readsAll = texts.some((text) => anyName.test(text));
  }

  /** What a node has of these devices. `isTaken`: by an allocation. */
  inventory(
    parts: readonly { readonly driver: string; readonly devices: readonly Device[]; readonly pool?: string }[],
    isTaken: (driver: string, pool: string | undefined, device: string) => boolean = () => false,
  ): Inventory {
    const stocks = new Map<number, Stock>();
    for (const { driver, devices, pool } of parts) {
      for (const device of devices) {
        const kind = this.#kindOf(driver, device);
        const { all, free } = stocks.get(kind) ?? { all: 0, free: 0 };
        stocks.set(kind, { all: all + 1, free: free + (isTaken(driver, pool, device.name) ? 0 : 1) });
      }
    }
    return stocks;
  }

  /** The kinds that meet an ask. `classSelectors`: of its DeviceClass. To be called when every kind is known. */
  meeting(ask: DeviceAsk, classSelectors: readonly string[]): ReadonlySet<number> {
    const selectors = [...classSelectors, ...ask.selectors];
    const key = JSON.stringify([selectors, ask.tolerations]);
    let found = this.#selected.get(key);
    if (found === undefined) {
      found = new Set(
        this.#kinds.flatMap((kind, index) => {
          const isKept = untoleratedTaint(ask.tolerations, kind.taints) !== undefined;
          return !isKept && selectors.every((one) => isSelected(one, kind)) ? [index] : [];
        }),
      );
      this.#selected.set(key, found);
    }
    return found;
  }

  /** An attribute's value as text; undefined: the kind does not have it. */
  valueOf(kind: number, attribute: string): string | undefined {
    const value = this.#kinds[kind]!.attributes[attribute];
    return value === undefined ? undefined : JSON.stringify(value);
  }

  #kindOf(driver: string, { attributes, capacity, taints }: Device): number {
    const kept = { driver, attributes: this.#named(attributes), capacity: this.#named(capacity), taints };
    const text = JSON.stringify([driver, sorted(kept.attributes), sorted(kept.capacity), taints]);
    let kind = this.#byText.get(text);
    if (kind === undefined) {
      kind = this.#kinds.push(kept) - 1;
      this.#byText.set(text, kind);
    }
    return kind;
  }

  #named<T>(values: Readonly<Record<string, T>>): Record<string, T> {
    return Object.fromEntries(Object.entries(values).filter(([name]) => this.#readsAll || this.#isRead(name)));
  }

  #isRead(name: string): boolean {
    let isNamed = this.#isNamed.get(name);
    if (isNamed === undefined) {
      const local = name.slice(name.indexOf("/") + 1);
      isNamed = this.#texts.some((text) => text.includes(local));
      this.#isNamed.set(name, isNamed);
    }
    return isNamed;
  }
}

function sorted(values: object): unknown {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
