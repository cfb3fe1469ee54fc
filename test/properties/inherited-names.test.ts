import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { worlds } from "./worlds.ts";

// Names that every JavaScript object answers to. Kubernetes allows all of them as label keys and most as names.
const inherited = ["constructor", "hasOwnProperty", "toString", "valueOf", "isPrototypeOf", "__proto__"];
/** Words of the generated worlds: a label key, a resource, taint keys, a pool, a node. */
const words = ["team", "nvidia.com/gpu", "dedicated", "gpu", "second", "n1", "tier"];

function renamed(snapshot: Snapshot, names: readonly string[], suffix: string): Snapshot {
  let text = JSON.stringify({ ...snapshot, catalog: null });
  words.forEach((word, i) => {
    text = text.replaceAll(`"${word}"`, `"${names[i]!}${suffix}"`);
  });
  return { ...(JSON.parse(text) as Snapshot), catalog: snapshot.catalog };
}

/** A plan without the claims' names, which are made from what they hold. */
function planOf(snapshot: Snapshot): string {
  const { claims, ...rest } = planProvisioning(snapshot);
  return JSON.stringify({ claims: claims.map((claim) => ({ ...claim, name: "" })), ...rest });
}

describe("names that every object inherits", () => {
  it("are names like any other", () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: 4 }), (world, turn) => {
        // "__proto__" is tried as a taint key only: as a label or resource it is refused when it is read.
        const usual = [...inherited.slice(turn, 5), ...inherited.slice(0, turn)];
        const names = [usual[0]!, usual[1]!, usual[2]!, "__proto__", "constructor", "valueOf", usual[3]!];
        const plan = planOf(renamed(world, names, ""));
        expect(plan).toBe(
          planOf(renamed(world, names, "x")).replaceAll(
            /(constructor|hasOwnProperty|toString|valueOf|isPrototypeOf|__proto__)x/g,
            "$1",
          ),
        );
      }),
      { numRuns: 120, seed: 20_261_201 },
    );
  });
});
