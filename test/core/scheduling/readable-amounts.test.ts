import { describe, expect, it } from "vitest";
import { atLeast, atMost } from "../../../shared/core/scheduling/readable-amounts.ts";

const mi = 2 ** 20;
const gi = 2 ** 30;

describe("amounts for people", () => {
  it.each<[string, number, string, string]>([
    ["cpu", 0, "0", "0"],
    ["cpu", 250, "250m", "250m"],
    ["cpu", 1_500, "1.5", "1.5"],
    ["cpu", 382_870, "382.87", "382.87"],
    ["cpu", 2_000_000, "2000", "2000"],
    ["cpu", 3_999, "3.99", "4"],
    ["memory", 0, "0", "0"],
    ["memory", 1_000, "1000", "1000"],
    ["memory", 512 * 1024, "512Ki", "512Ki"],
    ["memory", 1_500_000, "1.4Mi", "1.5Mi"],
    ["memory", 1_536 * mi, "1.5Gi", "1.5Gi"],
    ["memory", 7 * gi + 1, "7Gi", "7.1Gi"],
    ["ephemeral-storage", 20 * gi, "20Gi", "20Gi"],
    ["memory", 2_000 * gi, "2000Gi", "2000Gi"],
    ["pods", 110, "110", "110"],
    ["nvidia.com/gpu", 8, "8", "8"],
  ])("%s %d: there is %s, asked for is %s", (resource, amount, most, least) => {
    expect(atMost(amount, resource)).toBe(most);
    expect(atLeast(amount, resource)).toBe(least);
  });
});
