import { type FunctionName, type QueueName, relayQueueNames, type WakeQueueName, wakeQueueNames } from "./names.ts";

// What each function may do: exact actions on exact resources, as data that tests read. Where `*` stands as a resource,
// AWS knows none for that action (its service authorization reference says so), and the region is a condition instead.

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

/** What the statements name. All in text, so that a test can give it. */
export interface Places {
  /** `aws`, `aws-cn`, … */
  readonly partition: string;
  /** The account that the functions are in. */
  readonly account: string;
  readonly region: string;
  /** The value of the tag `timmerman/deployment`. */
  readonly deployment: string;
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly busArn: string;
  readonly queueArns: Readonly<Record<QueueName, string>>;
  /** Regions of the clusters in this account. */
  readonly clusterRegions: readonly string[];
  /** Regions of all clusters: their catalogs are read with this account's rights. */
  readonly catalogRegions: readonly string[];
  /** Roles that instances of this account may be given. */
  readonly nodeRoles: readonly string[];
  /** Roles in other accounts that functions act as. */
  readonly accountRoleArns: readonly string[];
  readonly isInVpc: boolean;
}

/** An account in which instances are launched. */
export type LaunchPlaces = Pick<Places, "partition" | "account" | "deployment" | "clusterRegions" | "nodeRoles">;

const deploymentTag = "timmerman/deployment";

/** Who writes what: prefixes of partition keys. The registry is nobody's but the deployment's. */
const agendaKeys = ["agenda#*"];
const leaseKeys = ["lease#*", ...agendaKeys];
const stateKeys = ["cluster#*", "plans#*", ...leaseKeys];

const read = ["dynamodb:GetItem", "dynamodb:Query"];
const put = "dynamodb:PutItem";
const update = "dynamodb:UpdateItem";
const remove = "dynamodb:DeleteItem";
const check = "dynamodb:ConditionCheckItem";
const batch = "dynamodb:BatchWriteItem";

const marketActions = [
  "ec2:DescribeInstanceTypes",
  "ec2:DescribeInstanceTypeOfferings",
  "ec2:DescribeSpotPriceHistory",
  "ec2:DescribeAvailabilityZones",
];

type Grant = (places: Places) => readonly Statement[];

const grants: Readonly<Record<FunctionName, readonly Grant[]>> = {
  provision: [
    reading,
    writing([put, update, check], stateKeys),
    waking,
    publishing,
    readingCatalog,
    actingElsewhere,
    consuming("provision"),
  ],
  disrupt: [
    reading,
    writing([put, update, remove, check], stateKeys),
    waking,
    publishing,
    readingCatalog,
    actingElsewhere,
    consuming("disrupt"),
  ],
  lifecycle: [
    reading,
    writing([put, update, remove, check], [...stateKeys, "gone#*", "instance#*"]),
    writing([batch], ["market#*"]),
    waking,
    publishing,
    readingCatalog,
    actingElsewhere,
    consuming("lifecycle"),
    describing(["ec2:DescribeInstances", "ec2:DescribeSubnets"]),
    launching,
    tagging(["Name", "karpenter.sh/nodeclaim"]),
    terminating,
  ],
  interrupt: [
    reading,
    writing([update], ["cluster#*", ...agendaKeys]),
    writing([batch], ["market#*"]),
    waking,
    publishing,
    readingCatalog,
    actingElsewhere,
    consuming("interrupt"),
    describing(["ec2:DescribeInstances"]),
  ],
  tick: [
    readingOnly(["registry"]),
    (places) => [{ actions: ["dynamodb:Query"], resources: [`${places.tableArn}/index/due`] }],
    writing([put, update, remove], agendaKeys),
    waking,
  ],
  "refresh-catalog": [
    readingOnly(["registry", "market#*"]),
    writing([put, update], ["market#*"]),
    readingCatalog,
    ({ bucketArn }) => [{ actions: ["s3:PutObject"], resources: [`${bucketArn}/catalog/*`] }],
    (places) => describing(marketActions)({ ...places, clusterRegions: places.catalogRegions }),
    // The price list has no resources and is served from a few regions for all.
    () => [{ actions: ["pricing:GetProducts"], resources: ["*"] }],
  ],
  "resolve-node-classes": [
    reading,
    writing([update], leaseKeys),
    waking,
    actingElsewhere,
    consuming("resolve-node-classes"),
    describing(["ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DescribeImages"]),
  ],
  "collect-garbage": [
    reading,
    writing([update], ["cluster#*", ...leaseKeys]),
    waking,
    publishing,
    actingElsewhere,
    consuming("collect-garbage"),
    describing(["ec2:DescribeInstances"]),
    tagging(["timmerman/orphan-since"]),
    terminating,
  ],
};

/** All that a function may do, besides what Lambda itself needs (`runtimeStatements`). */
export function statementsFor(name: FunctionName, places: Places): readonly Statement[] {
  return grants[name].flatMap((grant) => grant(places));
}

/** What Lambda needs of every function: its log group, traces, and in a network its interfaces. */
export function runtimeStatements(functionName: string, places: Places): readonly Statement[] {
  const { partition, region, account, isInVpc } = places;
  return [
    {
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [`arn:${partition}:logs:${region}:${account}:log-group:/aws/lambda/${functionName}:*`],
    },
    // X-Ray has no resources for what is sent to it.
    { actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] },
    ...(isInVpc ? interfaceStatements(places) : []),
  ];
}

/**
 * Lambda makes the interfaces of a function in a network as that function's role (AWS's own policy for it has these
 * actions on everything). The function's own code is refused them: it has an ARN of its own as source, Lambda has none.
 */
function interfaceStatements({ partition, region, account }: Places): readonly Statement[] {
  const inRegion = [{ test: "StringEquals", variable: "aws:RequestedRegion", values: [region] }];
  const notFromCode = [{ test: "Null", variable: "lambda:SourceFunctionArn", values: ["true"] }];
  return [
    {
      actions: [
        "ec2:DescribeNetworkInterfaces",
        "ec2:DescribeSubnets",
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeVpcs",
      ],
      resources: ["*"],
      conditions: inRegion,
    },
    {
      actions: [
        "ec2:CreateNetworkInterface",
        "ec2:DeleteNetworkInterface",
        "ec2:AssignPrivateIpAddresses",
        "ec2:UnassignPrivateIpAddresses",
      ],
      // All of the account in the region, as AWS's documentation of VPC functions asks for.
      resources: [`arn:${partition}:ec2:${region}:${account}:*/*`],
      conditions: notFromCode,
    },
  ];
}

/** The relay's: its heartbeat's item and four queues (docs/deploy.md). */
export function relayStatements(cluster: string, tableArn: string, queueArns: readonly string[]): readonly Statement[] {
  return [
    { actions: ["sqs:SendMessage"], resources: queueArns },
    { actions: ["dynamodb:UpdateItem"], resources: [tableArn], conditions: heartbeatConditions(cluster) },
  ];
}

export function heartbeatConditions(cluster: string): readonly Condition[] {
  return [
    { test: "ForAllValues:StringEquals", variable: "dynamodb:LeadingKeys", values: [`agenda#${cluster}`] },
    {
      test: "ForAllValues:StringEquals",
      variable: "dynamodb:Attributes",
      values: ["pk", "sk", "dueShard", "dueAtMs"],
    },
    // Nothing that stood there is given back.
    { test: "StringEqualsIfExists", variable: "dynamodb:ReturnValues", values: ["NONE"] },
  ];
}

/** For the role that functions have in another account: what they do with EC2 there. Its API server asks nothing of IAM. */
export function foreignStatements(places: LaunchPlaces): readonly Statement[] {
  return [
    ...describing(["ec2:DescribeInstances", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DescribeImages"])(
      places,
    ),
    ...launching(places),
    ...tagging(["Name", "karpenter.sh/nodeclaim", "timmerman/orphan-since"])(places),
    ...terminating(places),
  ];
}

function reading({ tableArn }: Places): readonly Statement[] {
  return [{ actions: read, resources: [tableArn] }];
}

function readingOnly(partitions: readonly string[]): Grant {
  return writing(read, partitions);
}

/** Actions on items of these partitions alone. */
function writing(actions: readonly string[], partitions: readonly string[]): Grant {
  return ({ tableArn }) => [
    {
      actions,
      resources: [tableArn],
      conditions: [{ test: "ForAllValues:StringLike", variable: "dynamodb:LeadingKeys", values: partitions }],
    },
  ];
}

/** A wake carries no facts, so whoever may wake one controller may wake all: it costs a run at most. */
function waking({ queueArns }: Places): readonly Statement[] {
  return [{ actions: ["sqs:SendMessage"], resources: wakeQueueNames.map((name: WakeQueueName) => queueArns[name]) }];
}

function consuming(name: QueueName): Grant {
  return ({ queueArns }) => [
    {
      actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
      resources: [queueArns[name]],
    },
  ];
}

function publishing({ busArn }: Places): readonly Statement[] {
  return [{ actions: ["events:PutEvents"], resources: [busArn] }];
}

/** Without the right to list, S3 answers for an object that is gone that one may not read it. */
function readingCatalog({ bucketArn }: Places): readonly Statement[] {
  return [
    { actions: ["s3:GetObject"], resources: [`${bucketArn}/catalog/*`] },
    { actions: ["s3:ListBucket"], resources: [bucketArn] },
  ];
}

function actingElsewhere({ accountRoleArns }: Places): readonly Statement[] {
  return accountRoleArns.length === 0 ? [] : [{ actions: ["sts:AssumeRole"], resources: accountRoleArns }];
}

/** EC2's descriptions have no resources: the region is all that can be said. */
function describing(actions: readonly string[]): (places: LaunchPlaces) => readonly Statement[] {
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
function launching(places: LaunchPlaces): readonly Statement[] {
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
function tagging(keys: readonly string[]): (places: LaunchPlaces) => readonly Statement[] {
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

function terminating(places: LaunchPlaces): readonly Statement[] {
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

/** ARNs of the queues that a relay sends to. */
export function relayQueuesOf(queueArns: Readonly<Record<QueueName, string>>): readonly string[] {
  return relayQueueNames.map((name) => queueArns[name]);
}
