// Rights on EC2, and the words of all policies. Launches and terminations go by the tag that names the deployment.

export interface Condition {
  readonly test: string;
  readonly variable: string;
  readonly values: readonly string[];
}

export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: readonly Condition[];
}

/** An account in which instances are launched. */
export interface LaunchPlaces {
  /** `aws`, `aws-cn`, … */
  readonly partition: string;
  readonly account: string;
  /** The value of the tag `timmerman/deployment`. */
  readonly deployment: string;
  /** Regions of the clusters in this account. */
  readonly clusterRegions: readonly string[];
  /** Roles that instances of this account may be given. */
  readonly nodeRoles: readonly string[];
}

const deploymentTag = "timmerman/deployment";

/** For the role that functions have in another account: what they do with EC2 there. Its API server asks nothing of IAM. */
export function foreignStatements(places: LaunchPlaces): readonly Statement[] {
  return [
    ...describing([
      "ec2:DescribeInstances",
      "ec2:DescribeSubnets",
      "ec2:DescribeSecurityGroups",
      "ec2:DescribeImages",
      "ec2:DescribeCapacityReservations",
    ])(places),
    ...launching(places),
    ...tagging(["Name", "karpenter.sh/nodeclaim", "timmerman/orphan-since"])(places),
    ...terminating(places),
  ];
}

/** EC2's descriptions have no resources: the region is all that can be said. */
export function describing(actions: readonly string[]): (places: LaunchPlaces) => readonly Statement[] {
  return ({ clusterRegions }) => {
    if (clusterRegions.length === 0) return [];
    const conditions = [{ test: "StringEquals", variable: "aws:RequestedRegion", values: clusterRegions }];
    return [{ actions, resources: ["*"], conditions }];
  };
}

function ec2Arns({ partition, account, clusterRegions }: LaunchPlaces, kinds: readonly string[]): readonly string[] {
  // Images and snapshots may be anybody's, so they have no account in their names.
  const ownerOf = (kind: string) => (kind === "image" || kind === "snapshot" ? "" : account);
  return clusterRegions.flatMap((region) =>
    kinds.map((kind) => `arn:${partition}:ec2:${region}:${ownerOf(kind)}:${kind}/*`),
  );
}

/** Fleets of this deployment only: what is made carries its tag, and launch templates of others are not used. */
export function launching(places: LaunchPlaces): readonly Statement[] {
  const { partition, account, deployment, clusterRegions, nodeRoles } = places;
  if (clusterRegions.length === 0) return [];
  const made = ["fleet", "instance", "volume", "network-interface"];
  const asked = [{ test: "StringEquals", variable: `aws:RequestTag/${deploymentTag}`, values: [deployment] }];
  return [
    // What exists and is used by an instance, and spot requests, which the fleet leaves without tags.
    {
      actions: ["ec2:RunInstances", "ec2:CreateFleet"],
      resources: ec2Arns(places, [
        "image",
        "snapshot",
        "subnet",
        "security-group",
        "capacity-reservation",
        "spot-instances-request",
      ]),
    },
    {
      actions: ["ec2:RunInstances", "ec2:CreateFleet"],
      resources: ec2Arns(places, ["launch-template"]),
      conditions: [{ test: "StringEquals", variable: `aws:ResourceTag/${deploymentTag}`, values: [deployment] }],
    },
    { actions: ["ec2:RunInstances", "ec2:CreateFleet"], resources: ec2Arns(places, made), conditions: asked },
    {
      actions: ["ec2:CreateLaunchTemplate"],
      resources: ec2Arns(places, ["launch-template"]),
      conditions: asked,
    },
    {
      actions: ["ec2:CreateTags"],
      resources: ec2Arns(places, [...made, "launch-template"]),
      conditions: [
        ...asked,
        {
          test: "StringEquals",
          variable: "ec2:CreateAction",
          values: ["RunInstances", "CreateFleet", "CreateLaunchTemplate"],
        },
      ],
    },
    {
      actions: ["iam:PassRole"],
      resources: nodeRoles.map((role) => `arn:${partition}:iam::${account}:role/${role}`),
      conditions: [
        {
          test: "StringEquals",
          variable: "iam:PassedToService",
          values: [partition === "aws-cn" ? "ec2.amazonaws.com.cn" : "ec2.amazonaws.com"],
        },
      ],
    },
  ];
}

/** Only these tags, and only on instances of this deployment. */
export function tagging(keys: readonly string[]): (places: LaunchPlaces) => readonly Statement[] {
  return (places) => {
    if (places.clusterRegions.length === 0) return [];
    return [
      {
        actions: ["ec2:CreateTags"],
        resources: ec2Arns(places, ["instance"]),
        conditions: [ownInstance(places), { test: "ForAllValues:StringEquals", variable: "aws:TagKeys", values: keys }],
      },
    ];
  };
}

export function terminating(places: LaunchPlaces): readonly Statement[] {
  if (places.clusterRegions.length === 0) return [];
  return [
    {
      actions: ["ec2:TerminateInstances"],
      resources: ec2Arns(places, ["instance"]),
      conditions: [ownInstance(places)],
    },
  ];
}

function ownInstance({ deployment }: LaunchPlaces): Condition {
  return { test: "StringEquals", variable: `aws:ResourceTag/${deploymentTag}`, values: [deployment] };
}
