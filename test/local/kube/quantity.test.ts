import { describe, expect, it } from "vitest";
import { canonicalQuantity } from "../../../local/kube/quantity.ts";

describe("quantities in canonical form", () => {
  it.each([
    ["1", "1"],
    ["0", "0"],
    ["0.5", "500m"],
    ["100m", "100m"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["2000", "2k"],
    ["1.0005", "1001m"],
    ["1Gi", "1Gi"],
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["8388608Ki", "8Gi"],
    ["0.1Gi", "107374182400m"],
    ["512", "512"],
    ["0.5Ki", "512"],
    ["129M", "129M"],
    ["128974848", "128974848"],
    ["1e3", "1e3"],
    ["1e9", "1e9"],
    ["-2", "-2"],
  ])("%s is stored as %s", (given, stored) => {
    expect(canonicalQuantity(given)).toBe(stored);
  });

  it("numbers count as text", () => {
    expect(canonicalQuantity(4)).toBe("4");
    expect(canonicalQuantity(0.1)).toBe("100m");
  });

  it.each(["", "x", "1 Gi", "1gi", "1.2.3", "--1"])("%j is none", (text) => {
    expect(canonicalQuantity(text)).toBeUndefined();
  });
});
