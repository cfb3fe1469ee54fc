import { describe, expect, it } from "vitest";
import { defaultSettings, readSettings } from "../../cli/input/settings.ts";

describe("--setting", () => {
  it.each([
    ["preference-policy=Ignore", { preferencePolicy: "Ignore" }],
    ["PREFERENCE_POLICY=Ignore", { preferencePolicy: "Ignore" }],
    ["min-values-policy=BestEffort", { minValuesPolicy: "BestEffort" }],
    ["vm-memory-overhead-percent=0.05", { vmMemoryOverheadPpm: 50_000 }],
    ["reserved-enis=1", { reservedEnis: 1 }],
    ["ignore-dra-requests=false", { ignoreDraRequests: false }],
    ["batch-max-duration=1m30s", { batchMaxMs: 90_000 }],
    ["batch-idle-duration=500ms", { batchIdleMs: 500 }],
    ["cluster-name=prod", { clusterName: "prod" }],
    ["log-level=debug", {}],
    [
      "feature-gates=SpotToSpotConsolidation=true,NodeOverlay=true",
      { featureGates: { ...defaultSettings.featureGates, spotToSpotConsolidation: true, nodeOverlay: true } },
    ],
  ])("%s", (text, change) => {
    expect(readSettings([text])).toEqual({ ...defaultSettings, ...change });
  });

  it("the last one counts, and gates add up", () => {
    const settings = readSettings([
      "reserved-enis=1",
      "reserved-enis=2",
      "feature-gates=NodeOverlay=true",
      "feature-gates=ReservedCapacity=false",
    ]);
    expect(settings.reservedEnis).toBe(2);
    expect(settings.featureGates).toMatchObject({ nodeOverlay: true, reservedCapacity: false });
  });

  it.each([
    ["preference-policy", "write NAME=VALUE"],
    ["preference-policy=ignore", 'preference-policy: "ignore" is none of Respect, Ignore'],
    ["no-such-thing=1", 'there is no setting "no-such-thing"'],
    ["reserved-enis=-1", 'reserved-enis: "-1" is not a whole number'],
    ["vm-memory-overhead-percent=7.5", "is not a share from 0 to 1"],
    ["batch-max-duration=10", "is not a duration"],
    ["feature-gates=Drift=true", 'has "Drift=true": write <gate>=true or =false, with a gate of NodeRepair, '],
    ["feature-gates=NodeOverlay", 'has "NodeOverlay": write <gate>=true or =false'],
  ])("%s is refused", (text, message) => {
    expect(() => readSettings([text])).toThrow(message);
  });
});
