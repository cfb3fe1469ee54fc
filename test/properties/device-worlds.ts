// Random small worlds of pods that claim devices, from the literals of the scheduling fixtures. Every selector comes with
// what it means in plain code, so that the judge needs no CEL.
import "../../shared/core/scheduling/devices/language.ts";
import fc from "fast-check";
import type { Device, DeviceAsk, DeviceDemand, Pod, ResourceClaim, Snapshot } from "../../shared/core/model/index.ts";
import {
  ask,
  claiming,
  demand,
  deviceWorld,
  driver,
  fromTemplate,
  gpuDevice,
  resourceClaim,
  slice,
  template,
  withChips,
} from "../core/scheduling/device-fixtures.ts";
import { asks, gi, instanceType, joined, node } from "../core/scheduling/fixtures.ts";

type Meaning = (device: Device) => boolean;

const textOf = (device: Device, name: string): string | undefined => {
  const value = device.attributes[name];
  return value !== undefined && "string" in value ? value.string : undefined;
};

/** What a device of a driver must be to be taken, by selector. */
export const meanings: Readonly<Record<string, Meaning>> = {
  "device.attributes['gpu.nvidia.com'].productName == 'Tesla T4'": (device) =>
    textOf(device, `${driver}/productName`) === "Tesla T4",
  "device.attributes['gpu.nvidia.com'].productName.startsWith('NVIDIA')": (device) =>
    textOf(device, `${driver}/productName`)?.startsWith("NVIDIA") === true,
  "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('20Gi')) >= 0": (device) =>
    (device.capacity[`${driver}/memory`] ?? 0) >= 20 * gi,
  "'numa' in device.attributes['example.com']": (device) => textOf(device, "example.com/numa") !== undefined,
};

const ofGpus = fc.record({
  selectors: fc.subarray(Object.keys(meanings), { maxLength: 1 }),
  count: fc.constantFrom<number | "all">(1, 1, 1, 2, 2, 3, "all"),
});
const anAsk: fc.Arbitrary<DeviceAsk> = fc.oneof(
  { weight: 5, arbitrary: ofGpus.map(({ selectors, count }) => ask(count, { selectors })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 6 }).map((count) => ask(count, { deviceClass: "neuron.aws.com" })),
  },
);
const aRequest = fc.oneof(
  { weight: 4, arbitrary: anAsk.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(anAsk, { minLength: 2, maxLength: 2 }) },
);
const aDemand = (constrained: boolean): fc.Arbitrary<DeviceDemand> =>
  fc.array(aRequest, { minLength: 1, maxLength: 2 }).chain((requests) => {
    const whole = demand(
      ...requests.map((alternatives, at) => ({
        name: `r${at}`,
        alternatives: alternatives.map((one, which) => ({
          name: alternatives.length === 1 ? `r${at}` : `a${which}`,
          ...one,
        })),
      })),
    );
    const attributes = ["example.com/numa", "resource.aws.com/devicegroup4_id", `${driver}/productName`];
    const matching = fc.subarray(attributes, { maxLength: 1 });
    return (constrained ? matching : fc.constant([])).map((some) => ({
      ...whole,
      constraints: some.map((matchAttribute) => ({ requests: [], matchAttribute })),
    }));
  });

const aDevice = fc
  .record({
    product: fc.constantFrom("Tesla T4", "Tesla T4", "NVIDIA A10G"),
    numa: fc.option(fc.constantFrom("0", "1")),
    isTaken: fc.constantFrom(false, false, false, true),
  })
  .map(({ product, numa, isTaken }) => ({
    isTaken,
    device: gpuDevice("", {
      attributes: {
        [`${driver}/productName`]: { string: product },
        ...(numa === null ? {} : { "example.com/numa": { string: numa } }),
      },
      capacity: { [`${driver}/memory`]: (product === "Tesla T4" ? 15 : 24) * gi },
    }),
  }));

/** `constrained`: with devices that have to match. */
export const deviceWorlds = (constrained: boolean): fc.Arbitrary<Snapshot> =>
  fc
    .record({
      demands: fc.array(aDemand(constrained), { minLength: 1, maxLength: 4 }),
      kinds: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 }),
      nodes: fc.array(fc.array(aDevice, { minLength: 0, maxLength: 5 }), { maxLength: 2 }),
    })
    .map(({ demands, kinds, nodes }) => {
      const pods: Pod[] = kinds.map((kind, at) =>
        claiming(`p-${at}`, [fromTemplate(`t-${kind % demands.length}`)], { requests: asks(0.2, 0.1) }),
      );
      const there = nodes.map((_, at) => {
        const base = node(`n${at}`);
        return { ...base, labels: { ...base.labels, [instanceType]: "a1.medium" } };
      });
      const taken: ResourceClaim[] = [];
      const slices = nodes.map((devices, at) => {
        const named = devices.map(({ device, isTaken }, index) => {
          const name = `gpu-${index}`;
          const allocation = { devices: [{ driver, pool: `n${at}`, device: name }] };
          if (isTaken) taken.push(resourceClaim(`taken-${at}-${index}`, demand(), { allocation, reservedFor: ["x"] }));
          return { ...device, name };
        });
        return slice(`n${at}`, named);
      });
      return deviceWorld({
        catalog: withChips,
        pods,
        nodes: there,
        claims: there.map((one) => joined(one)),
        resourceSlices: slices,
        resourceClaims: taken,
        resourceClaimTemplates: demands.map((one, at) => template(`t-${at}`, one)),
      });
    });
