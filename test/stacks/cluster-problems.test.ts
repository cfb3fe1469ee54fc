import { describe, expect, it } from "vitest";
import { clusterProblems as problemsFound, requireSound } from "../../stacks/cluster-problems.ts";
import type { ClusterSpec, Deployment } from "../../stacks/cluster-spec.ts";
import * as users from "../../stacks/clusters.ts";
import { problemText } from "../../stacks/spec-problem.ts";
import { amber, blue, green, grey, home } from "./specs.ts";

const deployment: Deployment = { region: home };
const clusterProblems = (...given: Parameters<typeof problemsFound>) => problemsFound(...given).map(problemText);

describe("what users write", () => {
  it.each<[string, readonly ClusterSpec[]]>([
    ["nothing", []],
    ["one cluster", [blue]],
    ["clusters of every kind", [blue, green, amber, grey]],
    [
      "two private clusters in one network, in another order",
      [grey, { ...grey, name: "iron", vpc: { subnets: ["subnet-0b", "subnet-0a"], securityGroups: ["sg-0c"] } }],
    ],
  ])("is sound: %s", (_what, clusters) => {
    expect(clusterProblems(deployment, clusters, "production")).toEqual([]);
  });

  it("is sound as the repository has it", () => {
    expect(clusterProblems(users.deployment, users.clusters, "production")).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ["a name", { name: "no spaces" }, /^entry 0: name is "no spaces": write the EKS cluster's name$/],
    ["a region", { region: "Ireland" }, /^cluster blue: region is "Ireland": write the cluster's region$/],
    ["a region that is missing", { region: undefined }, /^cluster blue: region is missing: /],
    ["a role", { accountRole: "admin" }, /^cluster blue: accountRole is "admin": write the ARN of a role/],
    ["access", { endpointAccess: "both" }, /^cluster blue: endpointAccess is "both": write "public" or "private"$/],
    ["identity", { identity: "kiam" }, /^cluster blue: identity is "kiam": write "pod-identity" or "irsa"$/],
    ["no node roles", { nodeRoles: [] }, /^cluster blue: nodeRoles is \[\]: list the names/],
    [
      "a node role's ARN",
      { nodeRoles: ["arn:aws:iam::1:role/n"] },
      /^cluster blue: nodeRoles is "arn:.*": write the role's name/,
    ],
    ["profiles", { instanceProfiles: true }, /^cluster blue: instanceProfiles is true: write "create" or "exist"$/],
    ["a field", { nodeRole: "n" }, /^cluster blue: nodeRole is not known: use name, region, /],
    ["a network without need", { vpc: grey.vpc }, /^cluster blue: vpc is set, but its endpointAccess is public/],
    [
      "a private endpoint without network",
      { endpointAccess: "private" },
      /^cluster blue: vpc is missing: a private endpoint needs/,
    ],
    [
      "subnets",
      { ...grey, name: "blue", vpc: { subnets: [], securityGroups: ["sg-0c"] } },
      /^cluster blue: vpc\.subnets is \[\]: list subnet ids/,
    ],
    [
      "groups",
      { ...grey, name: "blue", vpc: { subnets: ["subnet-0a"], securityGroups: ["default"] } },
      /^cluster blue: vpc\.securityGroups is \["default"\]/,
    ],
    [
      "a private endpoint elsewhere",
      { ...grey, name: "blue", region: "us-east-1" },
      /^cluster blue: region is us-east-1, but functions that reach private endpoints are in eu-west-1/,
    ],
    ["a setting's name", { settings: { batchIdle: "1s" } }, /^cluster blue: settings\.batchIdle/],
    ["a setting's value", { settings: { reservedENIs: "many" } }, /^cluster blue: settings\.reservedENIs/],
    ["a gate", { settings: { featureGates: { warpDrive: true } } }, /^cluster blue: settings\.featureGates/],
  ])("is told apart by cluster, field and fix: %s", (_what, change, problem) => {
    const cluster = { ...blue, ...(change as object) } as ClusterSpec;
    const problems = clusterProblems(deployment, [cluster], "production");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it("is held together: one name once, one network for all private endpoints, one role for an account", () => {
    const iron = { ...grey, name: "iron", vpc: { subnets: ["subnet-0d"], securityGroups: ["sg-0c"] } };
    const opal = { ...amber, name: "opal", accountRole: "arn:aws:iam::222222222222:role/other" };
    expect(
      clusterProblems(deployment, [blue, grey, iron, amber, opal, { ...blue, region: "us-east-1" }], "production"),
    ).toEqual([
      expect.stringMatching(/^cluster blue: name is that of entries 0 and 5: keep one/),
      expect.stringMatching(/^cluster iron: vpc differs from that of cluster grey: /),
      expect.stringMatching(/^cluster opal: accountRole differs from that of cluster amber in the same account: /),
    ]);
  });

  it.each<[string, Partial<Deployment>, string, RegExp]>([
    ["region", { region: "home" }, "production", /^deployment: region is "home"/],
    ["topic", { alarmTopic: "ops" }, "production", /^deployment: alarmTopic is "ops": write the ARN/],
    [
      "topic elsewhere",
      { alarmTopic: "arn:aws:sns:us-east-1:123456789012:ops" },
      "production",
      /^deployment: alarmTopic is in us-east-1: use a topic in eu-west-1/,
    ],
    ["stage", {}, "feature/x", /^stage "feature\/x" cannot .*: use letters/],
    [
      "long stage",
      {},
      "a-stage-with-a-very-long-name",
      /^stage "a-stage-with-a-very-long-name" cannot .*: use letters/,
    ],
  ])("of the deployment: %s", (_what, change, stage, problem) => {
    expect(clusterProblems({ ...deployment, ...change }, [], stage)).toEqual([expect.stringMatching(problem)]);
  });

  it("is refused with all problems in one error", () => {
    expect(() => requireSound(deployment, [{ ...blue, region: "x", identity: "y" as "irsa" }], "production")).toThrow(
      /^stacks\/clusters\.ts has 2 problem\(s\):\n- cluster blue: region .*\n- cluster blue: identity /,
    );
  });
});
