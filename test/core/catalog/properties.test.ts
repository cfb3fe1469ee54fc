import fc from "fast-check";
import { expect, it } from "vitest";
import { partsPerMillion } from "../../../shared/core/catalog/capacity.ts";
import { buildInstanceTypes } from "../../../shared/core/catalog/index.ts";
import type { AmiFamily, NodeClass } from "../../../shared/core/model/index.ts";
import { catalogOf, m5Large, nodeClass, settings } from "./fixtures.ts";

const families: readonly AmiFamily[] = [
  "AL2",
  "AL2023",
  "Bottlerocket",
  "Custom",
  "Windows2019",
  "Windows2022",
  "Windows2025",
];
const signal = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }).map((mib) => `${mib}Mi`),
  fc.integer({ min: 0, max: 1000 }).map((tenths) => `${tenths / 10}%`),
);
const reserved = fc.record({ cpu: fc.nat(5000), memory: fc.nat(10_000_000_000) });
const kubelets = fc.record(
  {
    maxPods: fc.integer({ min: 1, max: 500 }),
    podsPerCore: fc.nat(100),
    kubeReserved: reserved,
    systemReserved: reserved,
    evictionHard: fc.record({ "memory.available": signal, "nodefs.available": signal }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

it("whatever the kubelet keeps, pods get whole amounts between nothing and the capacity", () => {
  fc.assert(
    fc.property(
      kubelets,
      fc.constantFrom(...families),
      fc.integer({ min: 1, max: 448 }),
      fc.integer({ min: 512, max: 25_165_824 }),
      fc.nat(4),
      (kubelet, amiFamily, vcpus, memoryMiB, reservedEnis) => {
        const description = {
          ...m5Large,
          VCpuInfo: { DefaultVCpus: vcpus },
          MemoryInfo: { SizeInMiB: memoryMiB },
        };
        const asked: NodeClass = { ...nodeClass, amiFamily, kubelet };
        const [type] = buildInstanceTypes(catalogOf(description), asked, { ...settings, reservedEnis });
        expect(Object.keys(type!.allocatable)).toEqual(Object.keys(type!.capacity));
        for (const [resource, amount] of Object.entries(type!.allocatable)) {
          expect(Number.isSafeInteger(amount), resource).toBe(true);
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(type!.capacity[resource]!);
        }
      },
    ),
  );
});

it("shares of large amounts are exact", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 45 }), fc.nat(1_000_000), (amount, ppm) => {
      const exact = (BigInt(amount) * BigInt(ppm) + 999_999n) / 1_000_000n;
      expect(BigInt(partsPerMillion(amount, ppm))).toBe(exact);
    }),
  );
});
