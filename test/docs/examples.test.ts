// What people paste from one page works with what they pasted from another: the same cluster, region, stage and account.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeOf, pages, root } from "./pages.ts";

const blocks = [
  ...pages.map(({ path, text }) => ({ path, code: codeOf(text) })),
  ...["values.yaml", "values-fargate.yaml"].map((name) => {
    const path = `charts/timmerman/${name}`;
    return { path, code: readFileSync(`${root}${path}`, "utf8") };
  }),
];

/** Who is named where, and what the names may be. */
const names: readonly [string, RegExp, readonly string[]][] = [
  [
    "the cluster",
    /(?:timmerman (?:init|values) |--(?:cluster-name|cluster) |update-cluster-config .*--name |NodeRole-|karpenter\.sh\/discovery(?:: |,Value=|=)|clusterName: |CLUSTER_NAME=|"cluster": \[?")([\w-]+)/g,
    // The second is a blank to be filled in.
    ["production", "CLUSTER"],
  ],
  ["the stage", /--stage ([\w-]+)/g, ["production"]],
  ["the deployment", /\btimmerman\/deployment,Values=([\w-]+)/g, ["timmerman-production"]],
  ["the region", /\b((?:us|eu|ap|sa|ca|me|af)-[a-z]+-\d)/g, ["eu-west-1"]],
  // The second is another account than the deployment's.
  ["the account", /\b(\d{12})\b/g, ["123456789012", "222222222222"]],
];

/** What the offline planner prints is of the region whose catalog is shipped. */
const planned = ["docs/explain.md", "docs/planning-offline.md"];

describe("examples", () => {
  it.each(names)("name %s alike on all pages", (what, pattern, allowed) => {
    const asked = blocks.filter(({ path }) => what !== "the region" || !planned.includes(path));
    const found = asked.flatMap(({ path, code }) =>
      [...code.matchAll(pattern)].map((match) => ({ path, name: match[1]!, line: match[0] })),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ name }) => !allowed.includes(name))).toEqual([]);
  });

  it("of the command line are commands that there are", () => {
    const used = new Set(
      blocks.flatMap(({ code }) => [...code.matchAll(/npx timmerman ([a-z]+)/g)].map((match) => match[1]!)),
    );
    const known = readFileSync(`${root}cli/main.ts`, "utf8");
    expect([...used].filter((command) => !known.includes(`  ${command}: {`))).toEqual([]);
    expect(used.size).toBeGreaterThan(3);
  });
});
