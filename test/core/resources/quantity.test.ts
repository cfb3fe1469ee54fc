import { describe, expect, it } from "vitest";
import {
  addResources,
  exceeding,
  fits,
  formatQuantity,
  formatResources,
  parseQuantity,
  parseResources,
  QuantityError,
  raiseResources,
  resourcesEqual,
  subtractResources,
  sumResources,
} from "../../../shared/core/resources/index.ts";

describe("parseQuantity", () => {
  it.each([
    // quantity, resource, rounding, amount
    ["1500m", "cpu", "up", 1500],
    ["2", "cpu", "up", 2000],
    [2, "cpu", "up", 2000],
    [0.5, "cpu", "up", 500],
    ["0.5", "cpu", "up", 500],
    [".5", "cpu", "up", 500],
    ["5.", "cpu", "up", 5000],
    ["0.1", "cpu", "up", 100],
    ["0.0001", "cpu", "up", 1],
    ["0.0001", "cpu", "down", 0],
    ["100n", "cpu", "up", 1],
    ["100n", "cpu", "down", 0],
    ["100u", "cpu", "up", 1],
    ["1500u", "cpu", "down", 1],
    ["+3", "cpu", "up", 3000],
    ["1k", "cpu", "up", 1_000_000],
    ["0", "cpu", "up", 0],
    ["-0", "cpu", "up", 0],
    ["2Gi", "memory", "up", 2_147_483_648],
    ["0.5Gi", "memory", "up", 536_870_912],
    ["100Mi", "memory", "up", 104_857_600],
    ["1Ki", "memory", "up", 1024],
    ["1Ti", "memory", "up", 1_099_511_627_776],
    ["1e3", "memory", "up", 1000],
    ["1E3", "memory", "up", 1000],
    ["1e-1", "memory", "up", 1],
    ["1e+3", "memory", "up", 1000],
    ["1.5e3", "memory", "up", 1500],
    ["128974848", "memory", "up", 128_974_848],
    ["129e6", "memory", "up", 129_000_000],
    ["129M", "memory", "up", 129_000_000],
    ["128974848000m", "memory", "up", 128_974_848],
    ["123Mi", "memory", "up", 128_974_848],
    ["1m", "memory", "up", 1],
    ["1m", "memory", "down", 0],
    ["0.3Ki", "memory", "up", 308],
    ["0.3Ki", "memory", "down", 307],
    ["19P", "memory", "up", 9_007_199_254_740_991],
    ["12E", "memory", "down", 9_007_199_254_740_991],
    ["1Ei", "memory", "down", 9_007_199_254_740_991],
    ["9007199254740991", "memory", "up", 9_007_199_254_740_991],
    ["9007199254740993", "memory", "up", 9_007_199_254_740_991],
    ["1e999999999", "memory", "up", 9_007_199_254_740_991],
    ["1e-999999999", "memory", "up", 1],
    ["1e-999999999", "memory", "down", 0],
    ["20G", "ephemeral-storage", "up", 20_000_000_000],
    ["4", "nvidia.com/gpu", "up", 4],
    ["1k", "pods", "up", 1000],
  ] as const)("%s of %s, rounded %s, is %d", (quantity, resource, rounding, amount) => {
    expect(parseQuantity(quantity, resource, rounding)).toBe(amount);
  });

  it.each(["", " ", "abc", "1 Gi", "1gi", "1K", "1e", "1e3Ki", "--1", "1.2.3", ".", "1mi", " 1", "0x10", "∞"])(
    "refuses %j with that text",
    (text) => {
      expect(() => parseQuantity(text, "memory", "up")).toThrow(QuantityError);
      expect(() => parseQuantity(text, "memory", "up")).toThrow(JSON.stringify(text));
    },
  );

  it("refuses negative amounts and says so", () => {
    expect(() => parseQuantity("-1Gi", "memory", "up")).toThrow('"-1Gi" is not a quantity: it must not be negative');
    expect(() => parseQuantity(-1, "cpu", "up")).toThrow("must not be negative");
  });

  it("refuses numbers that are none", () => {
    expect(() => parseQuantity(Number.NaN, "cpu", "up")).toThrow(QuantityError);
    expect(() => parseQuantity(Number.POSITIVE_INFINITY, "cpu", "up")).toThrow(QuantityError);
  });
});

describe("formatQuantity", () => {
  it.each([
    [1500, "cpu", "1500m"],
    [2000, "cpu", "2"],
    [0, "cpu", "0"],
    [2_147_483_648, "memory", "2Gi"],
    [1_610_612_736, "memory", "1536Mi"],
    [1000, "memory", "1000"],
    [1025, "memory", "1025"],
    [0, "memory", "0"],
    [1_125_899_906_842_624, "ephemeral-storage", "1Pi"],
    [2_097_152, "hugepages-2Mi", "2Mi"],
    [1024, "pods", "1024"],
    [8, "nvidia.com/gpu", "8"],
  ] as const)("%d of %s is %s", (amount, resource, text) => {
    expect(formatQuantity(amount, resource)).toBe(text);
    expect(parseQuantity(text, resource, "down")).toBe(amount);
    expect(parseQuantity(text, resource, "up")).toBe(amount);
  });
});

describe("resource vectors", () => {
  it("are read and written as lists", () => {
    const resources = parseResources({ memory: "1Gi", cpu: "250m", pods: 1 }, "up");
    expect(resources).toEqual({ memory: 1_073_741_824, cpu: 250, pods: 1 });
    expect(JSON.stringify(formatResources(resources))).toBe('{"cpu":"250m","memory":"1Gi","pods":"1"}');
  });

  it("add, subtract and take the larger", () => {
    const a = { cpu: 100, memory: 5 };
    const b = { cpu: 200, pods: 1 };
    expect(addResources(a, b)).toEqual({ cpu: 300, memory: 5, pods: 1 });
    expect(subtractResources(a, b)).toEqual({ cpu: -100, memory: 5, pods: -1 });
    const most = { ...a };
    raiseResources(most, b);
    expect(most).toEqual({ cpu: 200, memory: 5, pods: 1 });
    expect(sumResources([a, b, a])).toEqual({ cpu: 400, memory: 10, pods: 1 });
    expect(a).toEqual({ cpu: 100, memory: 5 });
  });

  it.each([
    [{ cpu: 1000 }, { cpu: 1000 }, true, []],
    [{ cpu: 1001 }, { cpu: 1000 }, false, ["cpu"]],
    [{ "nvidia.com/gpu": 1 }, { cpu: 1000 }, false, ["nvidia.com/gpu"]],
    [{ "nvidia.com/gpu": 0 }, { cpu: 1000 }, true, []],
    [{}, {}, true, []],
    [{ cpu: 0 }, { cpu: -5 }, true, []],
    [{ memory: 2, cpu: 2 }, { cpu: 1 }, false, ["cpu", "memory"]],
  ] as const)("%o into %o: %s", (requests, available, fitting, names) => {
    expect(fits(requests, available)).toBe(fitting);
    expect(exceeding(requests, available)).toEqual(names);
  });

  it("are equal when amounts are, absent or 0", () => {
    expect(resourcesEqual({ cpu: 1, pods: 0 }, { cpu: 1 })).toBe(true);
    expect(resourcesEqual({ cpu: 1 }, { cpu: 1, pods: 1 })).toBe(false);
    expect(resourcesEqual({ cpu: 1 }, { cpu: 2 })).toBe(false);
  });
});
