// The summary for people: what each step took, what it cost, what was chosen and why.
import type { Summary } from "../summary.ts";
import type { Terminal } from "./terminal.ts";

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(
    (row) =>
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()}`,
  );
}

const money = (usd: number) => `$${usd.toFixed(4)}/h`;

/** Lines of the report. */
export function reportLines(summary: Summary, terminal: Pick<Terminal, "paint">): string[] {
  const heading = (text: string) => ["", terminal.paint(text, "strong")];
  const { pods, nodeClaims, instances, interruption, consolidation, cost } = summary;
  const survived =
    interruption.node === null
      ? "no spot instance to interrupt"
      : `${interruption.node}: pods back after ${interruption.secondsToReplacement} s, ${interruption.podsLost} still on it at its end`;
  return [
    ...heading("What happened"),
    ...table([
      ["pods", `${pods.running} of ${pods.asked} ran, ${pods.pending} pending`],
      ["claims", `${nodeClaims.created} created, ${nodeClaims.initialized} initialized, ${nodeClaims.removed} removed`],
      [
        "instances",
        `${instances.launched} launched, ${instances.running} left, ${instances.withoutClaim} without a claim`,
      ],
      ["interruption", survived],
      ["empty nodes", `${consolidation.nodesRemoved} removed`],
      ["cost", `${money(cost.peakPerHour)} at the peak, ${money(cost.perHourAtEnd)} at the end`],
    ]),
    ...heading("How long each step took (the world's seconds)"),
    ...table([
      ["step", "p50", "p99"],
      ...summary.steps.map((s) => [s.step, s.secondsP50.toFixed(2), s.secondsP99.toFixed(2)]),
    ]),
    ...heading("What was chosen, and why"),
    ...table(
      summary.choices.map((c) => [c.nodeClaim, c.instanceType, c.capacityType, c.zone, money(c.pricePerHour), c.why]),
    ),
    "",
  ];
}
