import { describe, expect, it } from "vitest";
import { clusterProblems as problemsFound } from "../../stacks/cluster-problems.ts";
import type { ClusterSpec, Deployment } from "../../stacks/cluster-spec.ts";
import { problemText } from "../../stacks/spec-problem.ts";
import { amber, blue, home } from "./specs.ts";

const regions = ["eu-west-1", "us-east-1", "us-east-2", "us-west-2", "eu-central-1", "eu-north-1", "ap-south-1"];
const many = (count: number, change: (at: number) => Partial<ClusterSpec>): readonly ClusterSpec[] =>
  Array.from({ length: count }, (_, at) => ({ ...blue, name: `c${at}`, ...change(at) }));
const clusterProblems = (...given: Parameters<typeof problemsFound>) => problemsFound(...given).map(problemText);
const problemsOf = (clusters: readonly ClusterSpec[]) => clusterProblems({ region: home }, clusters, "production");

describe("sizes of policies", () => {
  it("fit a thousand clusters of one account and region whose nodes have one role", () => {
    expect(problemsOf(many(1_000, () => ({})))).toEqual([]);
  });

  it.each<[string, readonly ClusterSpec[], RegExp]>([
    [
      "node roles",
      many(120, (at) => ({ nodeRoles: [`KarpenterNodeRole-cluster-${at}`] })),
      /^the policy of function lifecycle has \d+ characters, AWS takes 10240: 120 node roles, 1 regions .*: deploy some .* another stage$/,
    ],
    [
      "regions",
      many(14, (at) => ({ region: regions[at % 7]! })),
      /^the policy of function lifecycle has \d+ characters.*7 regions/,
    ],
    [
      "accounts",
      many(150, (at) => ({ accountRole: `arn:aws:iam::${222222222222 + at}:role/d` })),
      /^the policy of function provision has .*150 other accounts/,
    ],
    [
      "foreign roles",
      many(150, (at) => ({ accountRole: amber.accountRole!, nodeRoles: [`KarpenterNodeRole-cluster-${at}`] })),
      /^the policy of the role in account 222222222222 has /,
    ],
    [
      "foreign relays",
      many(60, () => ({ accountRole: amber.accountRole! })),
      /^the table's policy has \d+ bytes, AWS takes 20480: 60 clusters/,
    ],
    [
      "foreign senders",
      many(51, () => ({ accountRole: amber.accountRole! })),
      /^the policy of the relays' queues has 51 principals, AWS takes 50/,
    ],
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
