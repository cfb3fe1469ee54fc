import { expect, it } from "vitest";
import { parseGoDurationMs } from "../../../shared/core/resources/index.ts";

it.each<[string, number | undefined]>([
  ["1s", 1_000],
  ["1m30s", 90_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["200ms", 200],
  ["1.001s", 1_001],
  ["4.35s", 4_350],
  [".5s", 500],
  ["1.s", 1_000],
  ["1999us", 1],
  ["0s", 0],
  ["", undefined],
  ["10", undefined],
  ["1h ", undefined],
  ["1 h", undefined],
  ["-1h", undefined],
  ["1d", undefined],
  ["soon", undefined],
])("the duration %j", (text, ms) => {
  expect(parseGoDurationMs(text)).toBe(ms);
});
