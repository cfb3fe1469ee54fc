import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildInstanceTypes } from "../../../shared/core/catalog/index.ts";
import type { Catalog, InstanceTypeDescription } from "../../../shared/core/model/index.ts";
import { parseQuantity } from "../../../shared/core/resources/index.ts";
import { catalog, nodeClass, settings } from "./fixtures.ts";

const folder = new URL("../../../../shared/data/catalog/", import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const isThere = existsSync(folder);

interface Golden {
  labels: Record<string, string>;
  resources: Record<string, string>;
}
interface Limit {
  eni: number;
  ipv4PerEni: number;
  defaultCard: number;
  cards: [number, number][];
}

/** g4ad is missing from the descriptions: what the published page and the network limits say of it. */
function describeFrom(name: string, { labels }: Golden, limit: Limit): InstanceTypeDescription {
  const aws = (label: string): string => labels[`karpenter.k8s.aws/${label}`]!;
  return {
    InstanceType: name,
    Hypervisor: aws("instance-hypervisor"),
    ProcessorInfo: {
      Manufacturer: aws("instance-cpu-manufacturer"),
      SupportedArchitectures: ["x86_64"],
      SustainedClockSpeedInGhz: Number(aws("instance-cpu-sustained-clock-speed-mhz")) / 1000,
    },
    VCpuInfo: { DefaultVCpus: Number(aws("instance-cpu")) },
    MemoryInfo: { SizeInMiB: Number(aws("instance-memory")) },
    NetworkInfo: { Ipv4AddressesPerInterface: limit.ipv4PerEni, MaximumNetworkInterfaces: limit.eni },
  };
}

describe.skipIf(!isThere)(
  "against Karpenter's published instance types (skipped where ../shared/data is absent)",
  () => {
    const golden = isThere ? (read("karpenter-instance-golden.json") as { types: Record<string, Golden> }).types : {};
    const limits = isThere ? (read("vpc-limits.json") as { limits: Record<string, Limit> }).limits : {};
    const described = isThere ? (read("instance-types.json") as InstanceTypeDescription[]) : [];
    const names = new Set(described.map((type) => type.InstanceType));
    const corrected = described.map((type) => {
      const limit = limits[type.InstanceType];
      const card = limit?.cards.find(([index]) => index === limit.defaultCard);
      if (card === undefined) return type;
      const network = type.NetworkInfo as { NetworkCards: { NetworkCardIndex: number }[] };
      const cards = network.NetworkCards.map((own) =>
        own.NetworkCardIndex === card[0] ? { ...own, MaximumNetworkInterfaces: card[1] } : own,
      );
      return { ...type, NetworkInfo: { ...network, NetworkCards: cards } };
    });
    const missing = Object.keys(golden).filter((name) => !names.has(name));
    const all: Catalog = {
      ...catalog,
      instanceTypes: [...corrected, ...missing.map((name) => describeFrom(name, golden[name]!, limits[name]!))],
      onDemand: Object.fromEntries([...names, ...missing].map((name) => [name, 1])),
      spot: {},
    };
    const types = new Map(isThere ? buildInstanceTypes(all, nodeClass, settings).map((type) => [type.name, type]) : []);

    it("has all of them", () => {
      expect(Object.keys(golden).length).toBe(1363);
      expect(Object.keys(golden).filter((name) => !types.has(name))).toEqual([]);
    });

    it.each(["memory", "cpu", "pods", "ephemeral-storage"])(
      "%s: the same allocatable for 1,363 of 1,363",
      (resource) => {
        const different = Object.entries(golden).flatMap(([name, { resources }]) => {
          const own = types.get(name)!.allocatable[resource];
          const theirs = parseQuantity(resources[resource]!, resource, "down");
          return own === theirs ? [] : [`${name}: ${own}, published ${theirs}`];
        });
        expect(different).toEqual([]);
      },
    );

    it("devices: the same for every described type", () => {
      const devices = ["nvidia.com/gpu", "amd.com/gpu", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore"];
      const different = Object.entries(golden)
        .filter(([name]) => names.has(name))
        .flatMap(([name, { resources }]) =>
          [...devices, "vpc.amazonaws.com/efa", "vpc.amazonaws.com/pod-eni"]
            .filter((device) => (types.get(name)!.capacity[device] ?? 0) !== Number(resources[device] ?? 0))
            .map((device) => `${name} ${device}: ${types.get(name)!.capacity[device]}, published ${resources[device]}`),
        );
      expect(different).toEqual([]);
    });

    it("labels: the same for every described type, but for clock speeds that EC2 has corrected since", () => {
      const faster = new Set(["c9g", "c9gd", "i7i", "i7ie", "m9g", "m9gd"]);
      const different = Object.entries(golden)
        .filter(([name]) => names.has(name))
        .flatMap(([name, { labels }]) => {
          const own = types.get(name)!.labels;
          const published = Object.keys(labels).filter((key) => {
            if (key.endsWith("clock-speed-mhz") && faster.has(name.split(".")[0]!)) return false;
            return own[key]?.[0] !== labels[key];
          });
          const onlyOwn = Object.keys(own).filter(
            (key) => labels[key] === undefined && key.includes("karpenter.k8s.aws/") && !key.endsWith("tenancy"),
          );
          return [...published, ...onlyOwn].map((key) => `${name} ${key}: ${own[key]?.[0]}, published ${labels[key]}`);
        });
      expect(different).toEqual([]);
    });
  },
);
