import { describe, expect, it } from "vitest";
import {
  clusterSettingsFrom,
  defaultSettings,
  settingsAhead,
  settingsProblems,
  settingsWithoutSay,
} from "../../shared/runtime/settings.ts";

const read = (value: unknown) =>
  clusterSettingsFrom(value, defaultSettings, (problem) => {
    throw new Error(problem);
  });

describe("a cluster's settings", () => {
  it("have Karpenter's chart names, with values as YAML or text has them", () => {
    const wanted = {
      batchIdleMs: 2_000,
      batchMaxMs: 90_000,
      preferencePolicy: "Ignore",
      minValuesPolicy: "BestEffort",
      vmMemoryOverheadPpm: 50_100,
      reservedEnis: 2,
      ignoreDraRequests: false,
      featureGates: { ...defaultSettings.featureGates, nodeRepair: true, reservedCapacity: false },
    };
    const texts = {
      batchIdleDuration: "2s",
      batchMaxDuration: "1m30s",
      preferencePolicy: "Ignore",
      minValuesPolicy: "bestEffort",
      vmMemoryOverheadPercent: "0.0501",
      reservedENIs: "2",
      ignoreDRARequests: "false",
      featureGates: { nodeRepair: "true", reservedCapacity: "False" },
    };
    expect(read(texts)).toEqual(wanted);
    expect(
      read({
        ...texts,
        vmMemoryOverheadPercent: 0.0501,
        reservedENIs: 2,
        ignoreDRARequests: false,
        featureGates: { nodeRepair: true, reservedCapacity: false },
      }),
    ).toEqual(wanted);
  });

  it.each([[undefined], [null], [""], [{}], [{ batchIdleDuration: "", reservedENIs: null, featureGates: null }]])(
    "that say nothing leave Karpenter's defaults: %j",
    (value) => {
      expect(read(value)).toEqual({
        batchIdleMs: 1_000,
        batchMaxMs: 10_000,
        preferencePolicy: "Respect",
        minValuesPolicy: "Strict",
        vmMemoryOverheadPpm: 75_000,
        reservedEnis: 0,
        ignoreDraRequests: true,
        featureGates: {
          nodeRepair: false,
          reservedCapacity: true,
          spotToSpotConsolidation: false,
          nodeOverlay: false,
          staticCapacity: false,
          capacityBuffer: false,
        },
      });
    },
  );

  it.each([
    ["no object", [], 'settings must be an object such as {"reservedENIs":1}'],
    ["a duration", { batchIdleDuration: 10 }, "settings.batchIdleDuration must be a duration such as 10s"],
    ["a duration", { batchMaxDuration: "soon" }, "settings.batchMaxDuration must be a duration such as 10s"],
    ["a policy", { preferencePolicy: "Maybe" }, "settings.preferencePolicy must be one of Respect, Ignore"],
    ["a policy", { minValuesPolicy: true }, "settings.minValuesPolicy must be one of Strict, BestEffort"],
    ["a share above one", { vmMemoryOverheadPercent: 7.5 }, "settings.vmMemoryOverheadPercent must be a fraction"],
    ["a share of text", { vmMemoryOverheadPercent: "7.5%" }, "settings.vmMemoryOverheadPercent must be a fraction"],
    ["too fine a share", { vmMemoryOverheadPercent: 0.1 + 0.2 }, "with six decimals at most"],
    ["a list", { reservedENIs: [1] }, "settings.reservedENIs must be a whole number such as 1"],
    ["a negative number", { reservedENIs: -1 }, "settings.reservedENIs must be a whole number such as 1"],
    ["a truth value", { ignoreDRARequests: "yes" }, "settings.ignoreDRARequests must be true or false"],
    ["a near miss", { reservedEnis: 1 }, "settings.reservedEnis is not known: write reservedENIs"],
    ["an unknown name", { colour: 1 }, "settings.colour is not known: use batchIdleDuration, batchMaxDuration"],
    ["a name of objects", { constructor: 1 }, "settings.constructor is not known"],
    ["gates as text", { featureGates: "NodeRepair=true" }, "settings.featureGates must be an object such as"],
    ["a gate", { featureGates: { nodeRepair: 1 } }, "settings.featureGates.nodeRepair must be true or false"],
    [
      "a near gate",
      { featureGates: { NodeRepair: true } },
      "settings.featureGates.NodeRepair is not known: write nodeR",
    ],
    ["a configuration", { schedulerConfig: "zone" }, "settings.schedulerConfig is not JSON"],
    [
      "a constraint",
      { schedulerConfig: { podTopologySpread: { defaultConstraints: [{ maxSkew: 1 }] } } },
      "settings.schedulerConfig has no podTopologySpread.defaultConstraints[0].topologyKey",
    ],
    ["an unknown gate", { featureGates: { drift: true } }, "settings.featureGates.drift is not known: use nodeRepair"],
  ])("are complained of by field and fix: %s", (_what, value, problem) => {
    const problems = settingsProblems(value);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it("spread pods by default as kube-scheduler's configuration says, as an object or as JSON", () => {
    const one = { topologyKey: "topology.kubernetes.io/zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" };
    const schedulerConfig = { podTopologySpread: { defaultConstraints: [one] } };
    expect(read({ schedulerConfig }).defaultSpread).toEqual([one]);
    expect(read({ schedulerConfig: JSON.stringify(schedulerConfig) }).defaultSpread).toEqual([one]);
    const deployments = { ...defaultSettings, defaultSpread: read({ schedulerConfig }).defaultSpread! };
    const over = (settings: unknown) => clusterSettingsFrom(settings, deployments, expect.unreachable).defaultSpread;
    expect(over({ schedulerConfig: "" })).toEqual([one]);
    expect(over({ schedulerConfig: { podTopologySpread: { defaultConstraints: [] } } })).toEqual([]);
  });

  it("are complained of all at once, without their values, and the right ones still count", () => {
    const problems: string[] = [];
    const settings = clusterSettingsFrom(
      { reservedENIs: "s3cr3t", vmMemoryOverheadPercent: "s3cr3t", preferencePolicy: "Ignore" },
      defaultSettings,
      (problem) => problems.push(problem),
    );
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain("s3cr3t");
    expect(settings).toEqual({ ...defaultSettings, preferencePolicy: "Ignore" });
  });

  it("that ask for what is not built yet can be told of", () => {
    expect(settingsAhead(defaultSettings)).toEqual([]);
    const featureGates = { nodeRepair: true, reservedCapacity: false, spotToSpotConsolidation: true };
    expect(settingsAhead(read({ featureGates, ignoreDRARequests: false }))).toEqual([
      "settings.featureGates.nodeRepair",
      "settings.featureGates.spotToSpotConsolidation",
    ]);
  });

  it("without a say are taken and can be told of", () => {
    const value = { isolatedVPC: true, interruptionQueue: "", clusterName: "blue", reservedENIs: 1 };
    expect(settingsProblems(value)).toEqual([]);
    expect(settingsWithoutSay(value)).toEqual(["settings.clusterName", "settings.isolatedVPC"]);
    expect(settingsWithoutSay("text")).toEqual([]);
  });
});
