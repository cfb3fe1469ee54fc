import { describe, expect, it } from "vitest";
import { allowedDisruptions, budgetState } from "../../../shared/core/disruption/index.ts";
import type { Budget, DisruptionReason } from "../../../shared/core/model/index.ts";
import { hour } from "../lifecycle/literals.ts";
import { pool } from "./literals.ts";

const at = (text: string) => Date.parse(text);
const monday = at("2026-03-02T12:00:00Z");

describe("how many nodes a budget lets go", () => {
  it.each<[string, readonly Budget[], DisruptionReason, number, number, number]>([
    ["5 % of 10 is 1, rounded up", [{ nodes: "5%" }], "Empty", 10, 0, 1],
    ["10 % of 19 is 2", [{ nodes: "10%" }], "Empty", 19, 0, 2],
    ["10 % of 1 is 1", [{ nodes: "10%" }], "Empty", 1, 0, 1],
    ["0 % is none", [{ nodes: "0%" }], "Empty", 10, 0, 0],
    ["100 % is all", [{ nodes: "100%" }], "Empty", 10, 0, 10],
    ["a count is a count", [{ nodes: "3" }], "Empty", 10, 0, 3],
    ["those down or going are taken off", [{ nodes: "3" }], "Empty", 10, 2, 1],
    ["and never below none", [{ nodes: "1" }], "Empty", 10, 4, 0],
    ["the tightest decides", [{ nodes: "50%" }, { nodes: "2" }, { nodes: "40%" }], "Empty", 10, 0, 2],
    [
      "one for another reason says nothing",
      [{ nodes: "0", reasons: ["Drifted"] }],
      "Empty",
      10,
      0,
      Number.POSITIVE_INFINITY,
    ],
    ["one for this reason does", [{ nodes: "0", reasons: ["Drifted", "Empty"] }], "Empty", 10, 0, 0],
    ["no budget at all is no limit", [], "Empty", 10, 0, Number.POSITIVE_INFINITY],
    ["no nodes, a percentage", [{ nodes: "10%" }], "Empty", 0, 0, 0],
  ])("%s", (_title, budgets, reason, total, disrupting, allowed) => {
    expect(allowedDisruptions(pool({ budgets }), reason, { total, disrupting }, monday).allowed).toBe(allowed);
  });

  const mixed: readonly Budget[] = [
    { nodes: "10%", reasons: ["Empty", "Underutilized"], schedule: "0 8 * * mon-fri", durationMs: 8 * hour },
    { nodes: "0", reasons: ["Drifted"] },
  ];
  it.each<[string, DisruptionReason, string, number]>([
    ["in its hours it restricts", "Empty", "2026-03-02T08:00:00Z", 2],
    ["outside them nothing does (aws#7026)", "Empty", "2026-03-02T16:00:00Z", Number.POSITIVE_INFINITY],
    ["at the weekend nothing does", "Underutilized", "2026-03-07T12:00:00Z", Number.POSITIVE_INFINITY],
    ["a budget without hours always does", "Drifted", "2026-03-07T12:00:00Z", 0],
  ])("%s", (_title, reason, time, allowed) => {
    expect(allowedDisruptions(pool({ budgets: mixed }), reason, { total: 20, disrupting: 0 }, at(time)).allowed).toBe(
      allowed,
    );
  });
});

describe("when a budget is in force (core#1063: start included, end not, in UTC)", () => {
  const night: Budget = { nodes: "0", schedule: "0 22 * * *", durationMs: 4 * hour };
  const always: Budget = { nodes: "0", schedule: "@daily", durationMs: 24 * hour };
  const monthly: Budget = { nodes: "0", schedule: "0 0 1 * *", durationMs: hour };
  it.each<[string, Budget, string, boolean, string | null]>([
    ["before its first minute", night, "2026-03-02T21:59:59Z", false, "2026-03-02T22:00:00Z"],
    ["at its start", night, "2026-03-02T22:00:00Z", true, "2026-03-03T02:00:00Z"],
    ["over midnight", night, "2026-03-03T01:59:00Z", true, "2026-03-03T02:00:00Z"],
    ["at its end", night, "2026-03-03T02:00:00Z", false, "2026-03-03T22:00:00Z"],
    ["all day", always, "2026-03-03T00:00:00Z", true, "2026-03-04T00:00:00Z"],
    ["all day, at its last second", always, "2026-03-03T23:59:59Z", true, "2026-03-04T00:00:00Z"],
    ["on the day clocks change elsewhere", night, "2026-03-29T01:30:00Z", true, "2026-03-29T02:00:00Z"],
    ["rarely", monthly, "2026-03-02T00:00:00Z", false, "2026-04-01T00:00:00Z"],
    ["always, without a schedule", { nodes: "0" }, "2026-03-02T00:00:00Z", true, null],
  ])("%s", (_title, budget, time, active, next) => {
    expect(budgetState(budget, at(time))).toEqual({ active, nextChangeAtMs: next === null ? null : at(next) });
  });

  it("one whose schedule cannot be read allows nothing and says so", () => {
    const broken: Budget = { nodes: "5", schedule: "61 * * * *", durationMs: hour };
    const allowance = allowedDisruptions(pool({ budgets: [broken] }), "Empty", { total: 9, disrupting: 0 }, monday);
    expect(allowance.allowed).toBe(0);
    expect(allowance.faults).toEqual([expect.stringContaining('schedule "61 * * * *"')]);
  });
});
