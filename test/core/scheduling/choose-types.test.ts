import { describe, expect, it } from "vitest";
import type { InstanceType } from "../../../shared/core/model/index.ts";
import { Requirements } from "../../../shared/core/requirements/index.ts";
import { cheapestOffering, cutTypes, missedFloor, valuesFor } from "../../../shared/core/scheduling/choose-types.ts";
import { family, instanceType, req, zone } from "./fixtures.ts";

function type(name: string, zones: Record<string, number>, labels: Record<string, string[]> = {}): InstanceType {
  return {
    name,
    labels: { [instanceType]: [name], [family]: [name.split(".")[0]!], ...labels },
    capacity: {},
    allocatable: {},
    offerings: Object.entries(zones).map(([where, priceMicroUsd]) => ({
      zone: where,
      zoneId: "",
      capacityType: "on-demand",
      priceMicroUsd,
      available: priceMicroUsd > 0,
    })),
  };
}

/** Seventy types, cheapest first: sixty-eight of one family, then two others. */
const seventy = Array.from({ length: 70 }, (_, i) => type(`${i < 68 ? "a1" : `f${i}`}.t${i}`, { "z-a": i + 1 }));
const floor = (key: string, minValues: number) => Requirements.of([{ ...req(key, "Exists"), minValues }]);

describe("cutTypes", () => {
  it("keeps sixty, the cheapest", () => {
    expect(cutTypes(seventy, Requirements.none)).toEqual(seventy.slice(0, 60));
  });
  it("keeps all where there are no more", () => {
    expect(cutTypes(seventy.slice(0, 60), Requirements.none)).toHaveLength(60);
  });
  it("keeps the cheapest of each kind that a floor asks for", () => {
    const cut = cutTypes(seventy, floor(family, 3));
    expect(cut).toEqual([...seventy.slice(0, 58), ...seventy.slice(68)]);
    expect(missedFloor(cut, floor(family, 3))).toBeUndefined();
  });
});

describe("cutTypes with several floors", () => {
  it("lets one type serve all of them", () => {
    // Fifty families, each sold in a zone of its own: fifty types serve both floors, and ten more fit.
    const wide = Array.from({ length: 100 }, (_, i) => type(`f${i % 50}.t${i}`, { [`z-${i % 50}`]: i + 1 }));
    const floors = Requirements.of([
      { ...req(family, "Exists"), minValues: 50 },
      { ...req(zone, "Exists"), minValues: 50 },
    ]);
    const cut = cutTypes(wide.toReversed(), floors);
    expect(cut).toHaveLength(60);
    expect(missedFloor(cut, floors)).toBeUndefined();
  });
});

describe("missedFloor", () => {
  it.each([
    [family, 3, undefined],
    [family, 4, 3],
    [zone, 1, undefined],
    [zone, 2, 1],
    [instanceType, 50, undefined],
  ])("%s ≥ %i", (key, minValues, found) => {
    expect(missedFloor(seventy, floor(key, minValues))?.found).toBe(found);
  });
});

describe("offerings of a type", () => {
  const one = type("a1.x", { "z-a": 30, "z-b": 20, "z-c": 0 });
  it("count only where they are open", () => {
    expect(valuesFor(one, zone, Requirements.none)).toEqual(["z-a", "z-b"]);
  });
  it("count only where the requirements allow", () => {
    expect(valuesFor(one, zone, Requirements.of([req(zone, "NotIn", "z-b")]))).toEqual(["z-a"]);
  });
  it.each([
    [Requirements.none, "z-b"],
    [Requirements.of([req(zone, "In", "z-a")]), "z-a"],
  ])("the cheapest, of those allowed", (requirements, where) => {
    expect(cheapestOffering(one, requirements).zone).toBe(where);
  });
});
