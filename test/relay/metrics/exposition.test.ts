import { describe, expect, it } from "vitest";
import { counter, gauge, histogram, summary } from "../../../relay/metrics/definition.ts";
import { exposition } from "../../../relay/metrics/exposition.ts";
import { createCounter, createGauge, createHistogram, createSummary } from "../../../relay/metrics/instruments.ts";
import { parseExposition } from "./parse-exposition.ts";

const text = (families: Parameters<typeof exposition>[0], nowMs = 0) => [...exposition(families, nowMs)].join("");

describe("the text format", () => {
  it("has a head for each family that has values, and none for the others", () => {
    const beds = createCounter(counter("beds_total", ["room"], "Beds made."));
    const none = createCounter(counter("chairs_total", [], "Chairs made."));
    beds.add(["blue"]);
    beds.add(["blue"], 2);
    beds.add(["red"]);
    expect(text([beds, none])).toBe(
      '# HELP beds_total Beds made.\n# TYPE beds_total counter\nbeds_total{room="blue"} 3\nbeds_total{room="red"} 1\n',
    );
  });

  it("escapes what would end a value or a line", () => {
    const odd = createGauge(gauge("odd", ["a", "b"], "Back\\slash\nand line."), () => [[['say "hi"\n', "c:\\d"], 1]]);
    expect(text([odd])).toBe(
      '# HELP odd Back\\\\slash\\nand line.\n# TYPE odd gauge\nodd{a="say \\"hi\\"\\n",b="c:\\\\d"} 1\n',
    );
    expect(parseExposition(text([odd])).get("odd")?.samples[0]?.labels).toEqual({ a: 'say "hi"\n', b: "c:\\d" });
  });

  it.each([
    [0.1, "0.1"],
    [1e21, "1e+21"],
    [Number.POSITIVE_INFINITY, "+Inf"],
    [Number.NEGATIVE_INFINITY, "-Inf"],
    [Number.NaN, "NaN"],
  ])("writes %d as %s", (value, written) => {
    expect(text([createGauge(gauge("g", [], "G."), () => [[[], value]])])).toContain(`\ng ${written}\n`);
  });
});

describe("a histogram", () => {
  it("counts an amount in the bucket whose bound it reaches, and in those above", () => {
    const wait = createHistogram(histogram("wait", ["queue"], [1, 5], "Waits."));
    for (const amount of [0.5, 1, 3, 7]) wait.observe(["a"], amount);
    expect(text([wait])).toBe(
      [
        "# HELP wait Waits.",
        "# TYPE wait histogram",
        'wait_bucket{queue="a",le="1"} 2',
        'wait_bucket{queue="a",le="5"} 3',
        'wait_bucket{queue="a",le="+Inf"} 4',
        'wait_sum{queue="a"} 11.5',
        'wait_count{queue="a"} 4',
        "",
      ].join("\n"),
    );
  });
});

describe("a summary", () => {
  const definition = summary("wait", [], "Waits.");

  it("has the quantiles of the last ten minutes, and sum and count of ever", () => {
    let nowMs = 0;
    const wait = createSummary(definition, { now: () => nowMs });
    for (let amount = 1; amount <= 100; amount++) wait.observe([], amount);
    expect(text([wait], 599_999)).toBe(
      [
        "# HELP wait Waits.",
        "# TYPE wait summary",
        'wait{quantile="0"} 1',
        'wait{quantile="0.5"} 50',
        'wait{quantile="0.9"} 90',
        'wait{quantile="0.95"} 95',
        'wait{quantile="0.99"} 99',
        'wait{quantile="1"} 100',
        "wait_sum 5050",
        "wait_count 100",
        "",
      ].join("\n"),
    );
    nowMs = 480_000;
    wait.observe([], 7);
    expect(text([wait], 600_000)).toContain('wait{quantile="0"} 7\n');
    expect(text([wait], 1_080_000)).toContain('wait{quantile="0.5"} NaN\n');
    expect(text([wait], 1_080_000)).toContain("wait_count 101\n");
  });

  it("has bucket lines too where it was given bounds", () => {
    const wait = createSummary({ ...definition, buckets: [600] }, { now: () => 0 });
    wait.observe([], 10);
    wait.observe([], 700);
    expect(text([wait])).toContain('wait_sum 710\nwait_count 2\nwait_bucket{le="600"} 1\nwait_bucket{le="+Inf"} 2\n');
  });
});

describe("the strict reader", () => {
  it.each([
    ["a sample before its family", "a 1\n"],
    ["a family without samples", "# HELP a A.\n# TYPE a gauge\n"],
    ["TYPE without HELP", "# TYPE a gauge\na 1\n"],
    ["a type that does not exist", "# HELP a A.\n# TYPE a gadget\na 1\n"],
    ["the same series twice", '# HELP a A.\n# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n'],
    ["an unescaped quote", '# HELP a A.\n# TYPE a gauge\na{b="1"2"} 1\n'],
    ["a stranger's sample", "# HELP a A.\n# TYPE a gauge\nb 1\n"],
    ["a last line without end", "# HELP a A.\n# TYPE a gauge\na 1"],
    [
      "falling buckets",
      '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
    [
      "a count that is not the last bucket",
      '# HELP a A.\n# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n',
    ],
  ])("refuses %s", (_, wrong) => {
    expect(() => parseExposition(wrong)).toThrow();
  });
});
