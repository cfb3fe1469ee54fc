// Deployments that are not the usual one: other regions and accounts, private endpoints, the other identity, no cluster.
import { describe, expect, it } from "vitest";
import { factsOf } from "../../../stacks/cluster-facts.ts";
import type { ClusterSpec, Deployment } from "../../../stacks/cluster-spec.ts";
import { problemsOf, statementsOf } from "../policy-lint.ts";
import { amber, blue, green, grey, home } from "../specs.ts";
import { account, deploy, eksAnswer, type Loose, type Made, type World, type WorldOptions } from "./world.ts";

const worlds = new Map<string, Promise<World>>();

/** Each deployment is made once, one after the other: Pulumi's runtime is one for the whole program. */
let last: Promise<unknown> = Promise.resolve();
function worldOf(clusters: readonly ClusterSpec[], deployment: Partial<Deployment> = {}, stage = "production") {
  const key = JSON.stringify([clusters, deployment, stage]);
  const made = worlds.get(key) ?? inTurn({ given: { deployment: { region: home, ...deployment }, clusters }, stage });
  worlds.set(key, made);
  return made;
}

function inTurn(options: WorldOptions): Promise<World> {
  const made = last.catch(() => {}).then(() => deploy(options));
  last = made;
  return made;
}

function inputsOf(world: World, type: string, name?: string): Loose[] {
  return world.resources
    .filter((r) => r.type.endsWith(`:${type}`) && (name === undefined || r.name === name))
    .map((r) => r.inputs);
}

describe("no cluster", () => {
  it("deploys what clusters share, and nothing that waits for one", async () => {
    const world = await worldOf([]);
    expect(inputsOf(world, "Function")).not.toEqual([]);
    for (const type of [
      "AccessEntry",
      "PodIdentityAssociation",
      "TableItem",
      "EventRule",
      "Invocation",
      "InstanceProfile",
    ]) {
      expect(inputsOf(world, type), type).toEqual([]);
    }
    expect(world.outputs.relays).toEqual({});
    // Nobody may send to a queue that no rule feeds.
    const [policy] = inputsOf(world, "QueuePolicy", "InterruptPolicy");
    expect(JSON.parse(policy.policy).Statement.map((s: Loose) => s.Effect)).toEqual(["Deny"]);
    const lifecycle = inputsOf(world, "Role", "LifecycleFunctionRole")[0].inlinePolicies[0].policy;
    expect(lifecycle).not.toMatch(/ec2:|iam:PassRole/);
  });
});

describe("another region", () => {
  it("forwards its events to the deployment's bus, from which they come into the queue", async () => {
    const world = await worldOf([blue, green]);
    const rules = world.resources.filter((r) => r.type.endsWith(":EventRule"));
    expect(rules.filter((r) => r.provider === "ProviderUsEast1")).toHaveLength(5);
    expect(rules.filter((r) => r.provider === undefined)).toHaveLength(6);
    const [target] = inputsOf(world, "EventTarget", "SpotInterruptionUsEast1Target");
    const [bus] = inputsOf(world, "EventBus");
    expect(target.arn).toBe(`arn:aws:events:${home}:123456789012:event-bus/${bus.name}`);
    const [forwarder] = inputsOf(world, "Role", "ForwarderUsEast1");
    expect(JSON.parse(forwarder.inlinePolicies[0].policy).Statement).toEqual([
      { Effect: "Allow", Action: ["events:PutEvents"], Resource: [target.arn] },
    ]);
    expect(JSON.parse(inputsOf(world, "EventRule", "ForwardedRule")[0].eventPattern)).toEqual({
      source: ["aws.ec2", "aws.health"],
    });
    const [, allow] = JSON.parse(inputsOf(world, "QueuePolicy", "InterruptPolicy")[0].policy).Statement;
    const sources = allow.Condition.ArnEquals["aws:SourceArn"];
    expect(sources).toHaveLength(6);
    expect(sources.filter((arn: string) => arn.includes(`rule/${bus.name}/`))).toHaveLength(1);
    expect(inputsOf(world, "EventBusPolicy")).toEqual([]);
  });

  it("has its provider, its regions in the policies, and a relay that speaks to the deployment's region", async () => {
    const world = await worldOf([blue, green]);
    expect(inputsOf(world, "aws")).toMatchObject([{ region: "us-east-1" }]);
    expect(world.outputs.relays.green.aws).toEqual({ region: home });
    const lifecycle = inputsOf(world, "Role", "LifecycleFunctionRole")[0].inlinePolicies[0].policy;
    expect(lifecycle).toContain('"aws:RequestedRegion":["eu-west-1","us-east-1"]');
    expect(lifecycle).toContain("arn:aws:ec2:us-east-1:123456789012:instance/*");
    expect(world.resources.find((r) => r.name === "Access-green-Provision")?.provider).toBe("ProviderUsEast1");
  });

  it("may be reached by IRSA: the role trusts the issuer's tokens for one service account", async () => {
    const world = await worldOf([blue, green]);
    const issuer = "oidc.eks.us-east-1.amazonaws.com/id/GREEN";
    const [role] = inputsOf(world, "Role", "Relay-green-Role");
    expect(JSON.parse(role.assumeRolePolicy).Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { Federated: `arn:aws:iam::123456789012:oidc-provider/${issuer}` },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: {
            [`${issuer}:sub`]: "system:serviceaccount:kube-system:timmerman-relay",
            [`${issuer}:aud`]: "sts.amazonaws.com",
          },
        },
      },
    ]);
    const associations = inputsOf(world, "PodIdentityAssociation");
    expect(associations.map(({ clusterName }) => clusterName)).toEqual(["blue"]);
    expect(world.outputs.relays.green.serviceAccount.annotations["eks.amazonaws.com/role-arn"]).toMatch(
      /^arn:aws:iam::123456789012:role\//,
    );
    expect(world.outputs.relays.blue.serviceAccount).toBeUndefined();
    // green's profiles exist already.
    expect(inputsOf(world, "InstanceProfile").map(({ name }) => name)).toEqual(["KarpenterNodeRole-blue"]);
  });
});

describe("another account", () => {
  const roleArn = "arn:aws:iam::222222222222:role/timmerman-production-functions";

  it("gets a role that the functions act as, which is the one in its cluster's access entries", async () => {
    const world = await worldOf([blue, amber]);
    const role = world.resources.find((r) => r.name === "Account222222222222Role")!;
    expect(role.provider).toBe("ProviderAccount222222222222EuWest1");
    expect(role.inputs.name).toBe("timmerman-production-functions");
    expect(inputsOf(world, "aws")).toMatchObject([
      { region: home, assumeRoles: JSON.stringify([{ roleArn: "arn:aws:iam::222222222222:role/deploys-timmerman" }]) },
    ]);
    expect(inputsOf(world, "AccessEntry", "Access-amber-Functions")[0].principalArn).toBe(roleArn);
    for (const fn of ["Provision", "Lifecycle", "ResolveNodeClasses"]) {
      const policy = inputsOf(world, "Role", `${fn}FunctionRole`)[0].inlinePolicies[0].policy;
      expect(JSON.parse(policy).Statement).toContainEqual({
        Effect: "Allow",
        Action: ["sts:AssumeRole"],
        Resource: [roleArn],
      });
    }
    const document = JSON.parse(JSON.parse(inputsOf(world, "TableItem", "Registry-amber")[0].item).document.S);
    expect(document).toMatchObject({ name: "amber", roleArn });
  });

  it("lets its relay into queues and table, by role, and its events onto the bus", async () => {
    const world = await worldOf([blue, amber]);
    const relays = { ArnLike: { "aws:PrincipalArn": ["arn:aws:iam::*:role/timmerman-production-relay-*"] } };
    expect(JSON.parse(inputsOf(world, "ResourcePolicy")[0].policy).Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::222222222222:root" },
        Action: "dynamodb:UpdateItem",
        Resource: expect.stringMatching(/^arn:aws:dynamodb:eu-west-1:123456789012:table\//),
        Condition: {
          ...relays,
          "ForAllValues:StringEquals": {
            "dynamodb:LeadingKeys": ["agenda#amber"],
            "dynamodb:Attributes": ["pk", "sk", "dueShard", "dueAtMs"],
          },
          StringEqualsIfExists: { "dynamodb:ReturnValues": ["NONE"] },
        },
      },
    ]);
    expect(inputsOf(world, "Role", "Relay-amber-Role")[0].name).toBe("timmerman-production-relay-amber");
    for (const queue of ["Provision", "Disrupt", "Lifecycle", "ResolveNodeClasses"]) {
      const statements = JSON.parse(inputsOf(world, "QueuePolicy", `${queue}Policy`)[0].policy).Statement;
      expect(statements.slice(1)).toEqual([
        {
          Effect: "Allow",
          Principal: { AWS: ["arn:aws:iam::222222222222:root"] },
          Action: "sqs:SendMessage",
          Resource: expect.stringContaining(`:timmerman-production-${queue}Queue`),
          Condition: relays,
        },
      ]);
    }
    expect(JSON.parse(inputsOf(world, "QueuePolicy", "CollectGarbagePolicy")[0].policy).Statement).toHaveLength(1);
    expect(inputsOf(world, "EventBusPolicy")).toHaveLength(1);
    // A table of another account goes by its ARN.
    expect(world.outputs.relays.amber.timmerman.table).toMatch(/^arn:aws:dynamodb:eu-west-1:123456789012:table\//);
    expect(world.outputs.relays.blue.timmerman.table).not.toMatch(/^arn:/);
  });
});

describe("an organization", () => {
  it("stands in policies of queues, table and bus for its accounts, and lets in relays by name", async () => {
    const opal = { ...amber, name: "opal", accountRole: "arn:aws:iam::333333333333:role/deploys-timmerman" };
    const world = await worldOf([amber, opal], { organization: "o-a1b2c3d4e5" });
    const allowed = ["QueuePolicy", "ResourcePolicy", "EventBusPolicy"].flatMap((type) =>
      inputsOf(world, type).flatMap(({ policy }) =>
        JSON.parse(policy).Statement.filter((s: Loose) => s.Effect === "Allow"),
      ),
    );
    const toAll = allowed.filter(({ Principal }) => Principal.AWS === "*");
    expect(toAll).toHaveLength(6);
    for (const { Action, Condition } of toAll) {
      expect(Condition.StringEquals["aws:PrincipalOrgID"]).toEqual(["o-a1b2c3d4e5"]);
      if (Action === "events:PutEvents")
        expect(Condition.StringEquals["events:source"]).toEqual(["aws.ec2", "aws.health"]);
      else expect(Condition.ArnLike["aws:PrincipalArn"]).toEqual(["arn:aws:iam::*:role/timmerman-production-relay-*"]);
      if (Action === "dynamodb:UpdateItem")
        expect(Condition["ForAllValues:StringEquals"]["dynamodb:LeadingKeys"]).toEqual(["agenda#amber", "agenda#opal"]);
    }
  });
});

describe("more node roles than fit into one policy", () => {
  const roles = Array.from({ length: 200 }, (_, at) => `KarpenterNodeRole-${at}`);
  const passed = (policy: string) =>
    JSON.parse(policy)
      .Statement.filter((s: Loose) => s.Action.includes("iam:PassRole"))
      .flatMap((s: Loose) => s.Resource);

  it.each<[string, ClusterSpec, string, string, string]>([
    ["a function", blue, "LifecycleFunctionRole", "LifecycleFunctionPolicy", "123456789012"],
    ["another account", amber, "Account222222222222Role", "Account222222222222Policy", "222222222222"],
  ])("are in policies attached to the role of %s, and complete", async (_what, cluster, roleName, title, owner) => {
    const world = await worldOf([{ ...cluster, nodeRoles: roles, instanceProfiles: "exist" }]);
    const [role] = inputsOf(world, "Role", roleName);
    const attached = world.resources.filter(
      ({ type, name }) => type === "aws:iam/policy:Policy" && name.startsWith(title),
    );
    expect(attached.length).toBeGreaterThan(0);
    expect(role.managedPolicyArns).toEqual(
      attached.map(
        ({ name }) =>
          expect.stringContaining(`policy/timmerman-production-`) &&
          expect.stringMatching(new RegExp(`-${name.slice(title.length)}$`)),
      ),
    );
    const texts = [role.inlinePolicies[0].policy, ...attached.map(({ inputs }) => inputs.policy)];
    expect(texts.flatMap(passed).sort()).toEqual(roles.map((name) => `arn:aws:iam::${owner}:role/${name}`).sort());
    expect(texts[0].length).toBeLessThanOrEqual(10_240);
    for (const text of texts.slice(1)) expect(text.length).toBeLessThanOrEqual(6_144);
    const provider = owner === account ? undefined : "ProviderAccount222222222222EuWest1";
    expect(attached.map((policy) => policy.provider)).toEqual(attached.map(() => provider));
    for (const text of texts) {
      for (const statement of statementsOf(text)) expect(await problemsOf(statement)).toEqual([]);
    }
  });
});

describe("a private endpoint", () => {
  it("puts the functions that ask API servers into its network, and the others not", async () => {
    const world = await worldOf([blue, grey]);
    const within = inputsOf(world, "Function")
      .filter(({ vpcConfig }) => vpcConfig !== undefined)
      .map(({ name, vpcConfig }) => {
        expect(vpcConfig).toEqual({ subnetIds: ["subnet-0a", "subnet-0b"], securityGroupIds: ["sg-0c"] });
        return name.replace("timmerman-production-", "");
      });
    expect(within.sort()).toEqual([
      "collect-garbage",
      "disrupt",
      "interrupt",
      "lifecycle",
      "provision",
      "resolve-node-classes",
    ]);
    const may = (fn: string) =>
      inputsOf(world, "Role", `${fn}FunctionRole`)[0].inlinePolicies[0].policy.includes("ec2:CreateNetworkInterface");
    expect([may("Provision"), may("Tick"), may("RefreshCatalog")]).toEqual([true, false, false]);
  });
});

describe("a stage that is not production", () => {
  it("leaves nothing behind, and reserves nothing if told so", async () => {
    const world = await worldOf([], { reserveConcurrency: false, tracing: false, logLevel: "DEBUG" }, "try-it");
    const [table] = inputsOf(world, "Table");
    expect(table.deletionProtectionEnabled).toBe(false);
    expect(inputsOf(world, "Bucket").filter((b) => b.forceDestroy !== undefined)).toMatchObject([
      { forceDestroy: true },
    ]);
    for (const fn of inputsOf(world, "Function").filter(({ runtime }) => runtime !== undefined)) {
      expect(fn.name).toMatch(/^timmerman-try-it-/);
      expect(fn.reservedConcurrentExecutions).toBeUndefined();
      expect(fn.tracingConfig).toEqual({ mode: "PassThrough" });
      expect(fn.environment.variables).toMatchObject({
        LOG_LEVEL: "DEBUG",
        POWERTOOLS_TRACE_ENABLED: "false",
        TIMMERMAN_DEPLOYMENT: "timmerman-try-it",
      });
    }
  });
});

describe("what cannot be deployed", () => {
  it.each<[string, Loose, Loose, RegExp]>([
    [
      "no access entries",
      {},
      { accessConfigs: [{ authenticationMode: "CONFIG_MAP" }] },
      /cluster blue: its authentication mode is CONFIG_MAP.*update-cluster-config --name blue --region eu-west-1/,
    ],
    [
      "no public endpoint",
      {},
      { vpcConfig: { endpointPublicAccess: false, endpointPrivateAccess: true } },
      /cluster blue: endpointAccess is "public", but its endpoint is not/,
    ],
    [
      "no private endpoint",
      { endpointAccess: "private" },
      { vpcConfig: { endpointPublicAccess: true, endpointPrivateAccess: false } },
      /cluster blue: endpointAccess is "private", but its endpoint is only public/,
    ],
    [
      "no issuer",
      { identity: "irsa" },
      { identities: [] },
      /cluster blue: identity is "irsa", but it has no OIDC issuer/,
    ],
    ["no certificate yet", {}, { certificateAuthorities: [] }, /cluster blue: EKS gave no certificate authority/],
    ["no addresses yet", {}, { kubernetesNetworkConfigs: [] }, /cluster blue: EKS gave no service CIDR/],
  ])("for what EKS says of the cluster: %s", (_what, spec, found, error) => {
    expect(() => factsOf({ ...blue, ...spec }, { ...eksAnswer("blue", home, account), ...found })).toThrow(error);
  });

  it("takes the IPv6 service addresses of a cluster that has those", () => {
    const network = { ipFamily: "ipv6", serviceIpv4Cidr: "", serviceIpv6Cidr: "fd12:3456:789a::/108" };
    const found = { ...eksAnswer("blue", home, account), kubernetesNetworkConfigs: [network] };
    expect(factsOf(blue, found).serviceCidr).toBe("fd12:3456:789a::/108");
  });

  it("is said before anything is made", async () => {
    const made: Made[] = [];
    const given = { deployment: { region: home }, clusters: [blue, blue] };
    const twice = inTurn({ given, onMade: (resource) => made.push(resource) });
    await expect(twice).rejects.toThrow(/cluster blue: name is that of entries 0 and 1: keep one/);
    expect(made.map(({ type }) => type)).toEqual(["pulumi:pulumi:Stack"]);
  });
});
