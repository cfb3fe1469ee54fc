import { describe, expect, it } from "vitest";
import type { NodePool, Pod } from "../../shared/core/model/index.ts";
import { Requirements } from "../../shared/core/requirements/index.ts";
import { leastCost } from "./bound.ts";
import type { Candidate, Group } from "./bound-problem.ts";

const pod = {} as Pod;
const pool = {} as NodePool;
const group = (count: number, wants: number[], repels: string[] = []): Group => ({ pod, count, wants, repels });
const candidate = (priceUsd: number, has: number[], takes: boolean[]): Candidate => ({
  name: "t",
  pool,
  requirements: Requirements.none,
  priceUsd,
  has,
  takes,
});

describe("the least cost of a fractional placement", () => {
  it.each<[string, Group[], Candidate[], number | null]>([
    ["nothing to place costs nothing", [], [], 0],
    ["ten pods, two to a node", [group(10, [1])], [candidate(3, [2], [true])], 15],
    ["the cheaper node per amount", [group(10, [1])], [candidate(3, [2], [true]), candidate(4, [4], [true])], 10],
    ["only where they may go", [group(10, [1])], [candidate(3, [2], [true]), candidate(1, [4], [false])], 15],
    ["one big pod a node: 2 of 3 do not share", [group(4, [2])], [candidate(5, [3], [true])], 20],
    ["both resources count", [group(2, [1, 4]), group(2, [4, 1])], [candidate(1, [5, 5], [true, true])], 2],
    ["pods that repel each other are apart", [group(6, [1], ["x"])], [candidate(1, [100], [true])], 6],
    ["nowhere to go", [group(1, [1])], [candidate(1, [100], [false])], null],
  ])("%s", async (_, groups, candidates, cost) => {
    const found = await leastCost({ groups, candidates });
    if (cost === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(cost, 4);
  });
});
