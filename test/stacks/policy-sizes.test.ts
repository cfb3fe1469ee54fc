import { describe, expect, it } from "vitest";
import { clusterProblems as problemsFound } from "../../stacks/cluster-problems.ts";
import type { ClusterSpec, Deployment } from "../../stacks/cluster-spec.ts";
import { roleStatements } from "../../stacks/policies.ts";
import { planDocuments, statementsIn } from "../../stacks/policy-documents.ts";
import { placesAhead } from "../../stacks/policy-sizes.ts";
import { policyText } from "../../stacks/policy-text.ts";
import { problemText } from "../../stacks/spec-problem.ts";
import { amber, blue, home } from "./specs.ts";

const regions = ["eu-west-1", "us-east-1", "us-east-2", "us-west-2", "eu-central-1", "eu-north-1", "ap-south-1"];
const many = (count: number, change: (at: number) => Partial<ClusterSpec>): readonly ClusterSpec[] =>
  Array.from({ length: count }, (_, at) => ({ ...blue, name: `c${at}`, ...change(at) }));
const clusterProblems = (...given: Parameters<typeof problemsFound>) => problemsFound(...given).map(problemText);
const problemsOf = (clusters: readonly ClusterSpec[]) => clusterProblems({ region: home }, clusters, "production");

const elsewhere = (at: number) => ({ accountRole: `arn:aws:iam::${222222222222 + at}:role/d` });
const organized: Deployment = { region: home, organization: "o-a1b2c3d4e5" };

describe("sizes of policies", () => {
  it.each<[string, readonly ClusterSpec[], Deployment?]>([
    ["700 node roles", many(700, (at) => ({ nodeRoles: [`KarpenterNodeRole-cluster-${at}`] }))],
    ["seven regions", many(14, (at) => ({ region: regions[at % 7]! }))],
    ["forty accounts", many(40, elsewhere)],
    ["500 clusters of another account", many(500, () => ({ accountRole: amber.accountRole! }))],
    ["600 accounts of one organization", many(600, elsewhere), organized],
  ])("fit %s", (_what, clusters, deployment = { region: home }) => {
    expect(clusterProblems(deployment, clusters, "production")).toEqual([]);
  });

  it("hold exactly up to what AWS takes: the last node role that fits, and the first that does not", () => {
    const roles = (count: number) => [
      { ...blue, nodeRoles: Array.from({ length: count }, (_, at) => `Node-${1_000 + at}`) },
    ];
    let [fits, fails] = [700, 2_000];
    while (fails - fits > 1) {
      const middle = (fits + fails) >> 1;
      if (problemsOf(roles(middle)).length === 0) fits = middle;
      else fails = middle;
    }
    const given = { deployment: { region: home }, clusters: roles(fits) };
    const statements = roleStatements("lifecycle", placesAhead(given, "timmerman-production", "lifecycle"));
    const texts = planDocuments(statements).map((pieces) => policyText(statementsIn(pieces, statements)));
    expect(texts.length).toBe(11);
    expect(texts[0]!.length).toBeLessThanOrEqual(10_240);
    for (const text of texts.slice(1)) expect(text.length).toBeLessThanOrEqual(6_144);
    // None but the last leaves more room than the margin and one more role would take.
    expect(texts[0]!.length).toBeGreaterThan(10_240 - 240 - 60);
    for (const text of texts.slice(1)) expect(text.length).toBeGreaterThan(6_144 - 240 - 60);
    expect(problemsOf(roles(fits + 1))).toEqual([
      expect.stringMatching(/^the role of function lifecycle needs 11 managed policies beside its own, AWS takes 10: /),
    ]);
  });

  it("fit a thousand clusters of one account and region whose nodes have one role", () => {
    expect(problemsOf(many(1_000, () => ({})))).toEqual([]);
  });

  it.each<[string, readonly ClusterSpec[], RegExp]>([
    [
      "node roles",
      many(1_100, (at) => ({ nodeRoles: [`KarpenterNodeRole-cluster-${at}`] })),
      /^the role of function lifecycle needs 1[1-9] managed policies beside its own, AWS takes 10: 1100 node roles, 1 regions .*: deploy some .* another stage$/,
    ],
    [
      "foreign roles",
      many(1_200, (at) => ({ accountRole: amber.accountRole!, nodeRoles: [`KarpenterNodeRole-cluster-${at}`] })),
      /^the role in account 222222222222 needs 1[1-9] managed policies .*: 1200 node roles and 1 regions/,
    ],
    [
      "foreign relays",
      many(1_800, () => ({ accountRole: amber.accountRole! })),
      /^the table's policy has \d+ bytes, AWS takes 20480: 1800 clusters of 1 other accounts are let in by it: deploy some/,
    ],
    [
      "foreign senders",
      many(51, elsewhere),
      /^the policy of the relays' queues has 51 principals, AWS takes 50: 51 clusters of 51 other accounts .*: write deployment\.organization, if .* another stage$/,
    ],
    ["events of foreign accounts", many(320, elsewhere), /^the bus's policy has 1\d{4} bytes, AWS takes 10240: 320/],
  ])("are a problem before the deployment: %s", (_what, clusters, problem) => {
    expect(problemsOf(clusters)).toContainEqual(expect.stringMatching(problem));
  });
});

const circle: unknown[] = [];
circle.push(circle);

describe("what has not even the shape", () => {
  it.each<[string, unknown, unknown, RegExp]>([
    ["a cluster", { region: home }, [null], /^entry 0 is null: write/],
    ["the list", { region: home }, {}, /^clusters is \{\}: write a list$/],
    ["a function", { region: home }, () => [], /^clusters is \(\) => \[\]: write a list$/],
    ["a big integer", { region: home }, [5n], /^entry 0 is 5n: write/],
    ["a circle", { region: home }, [circle], /^entry 0 is an object that is no plain data: write/],
    ["the deployment", null, [blue], /^deployment is null: write/],
    ["a role", { region: home }, [{ ...blue, accountRole: 5 }], /^entry 0: accountRole is 5: /],
    ["a network", { region: home }, [{ ...blue, endpointAccess: "private", vpc: null }], /^entry 0: vpc is null: /],
    ["a field", { region: home, loglevel: "DEBUG" }, [blue], /^deployment: loglevel is not known: use region, /],
    ["a level", { region: home, logLevel: "verbose" }, [blue], /^deployment: logLevel is "verbose": write DEBUG, /],
    ["a time", { region: home, logRetention: "9 years" }, [blue], /^deployment: logRetention is "9 years": /],
    [
      "an organization",
      { region: home, organization: "mine" },
      [blue],
      /^deployment: organization is "mine": write its id such as o-/,
    ],
    ["a flag", { region: home, tracing: "false" }, [blue], /^deployment: tracing is "false": write true or false/],
    [
      "stages",
      { region: home, productionStages: "prod" },
      [blue],
      /^deployment: productionStages is "prod": write a list/,
    ],
    ["twins", { region: home }, [blue, { ...blue, name: "Blue" }], /^cluster Blue: name is that of entries 0 and 1/],
    [
      "twin roles",
      { region: home },
      [{ ...blue, nodeRoles: ["Node", "node"] }],
      /^cluster blue: nodeRoles is "node": list each/,
    ],
    [
      "partitions",
      { region: home },
      [{ ...blue, region: "cn-north-1" }],
      /^cluster blue: region is "cn-north-1": deploy it apart/,
    ],
  ])("is one problem: %s", (_what, deployment, clusters, problem) => {
    const problems = clusterProblems(deployment as Deployment, clusters as readonly ClusterSpec[], "production");
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});
