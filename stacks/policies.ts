import { type FunctionName, type QueueName, type WakeQueueName, wakeQueueNames } from "./names.ts";
import { describing, launching, type Statement, tagging, terminating } from "./policies-ec2.ts";
import { heartbeatConditions } from "./policies-resources.ts";

// What each function may do: exact actions on exact resources, as data that tests read. Where `*` stands as a resource,
// AWS knows none for that action (its service authorization reference says so), and the region is a condition instead.

export type { Condition, Statement } from "./policies-ec2.ts";

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
    writing([put, update], stateKeys),
    waking,
    publishing,
    readingCatalog,
    actingElsewhere,
    consuming("provision"),
    describing(["ec2:DescribeCapacityReservations"]),
  ],
  disrupt: [
    reading,
    writing([put, update, remove], stateKeys),
    waking,
    publishing,
    readingCatalog,
    actingElsewhere,
    consuming("disrupt"),
    describing(["ec2:DescribeCapacityReservations"]),
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
    describing([
      "ec2:DescribeSubnets",
      "ec2:DescribeSecurityGroups",
      "ec2:DescribeImages",
      "ec2:DescribeCapacityReservations",
    ]),
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

/** All that stands in the policies of a function's role. What names no resource (no node roles, say) is left out. */
export function roleStatements(name: FunctionName, places: Places): readonly Statement[] {
  const functionName = `${places.deployment}-${name}`;
  const all = [...runtimeStatements(functionName, places), ...statementsFor(name, places)];
  return all.filter(({ resources }) => resources.length > 0);
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
  const notFromCode = [{ test: "Null", variable: "lambda:SourceFunctionArn", values: ["true"] }];
  return [
    {
      actions: [
        "ec2:DescribeNetworkInterfaces",
        "ec2:DescribeSubnets",
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeVpcs",
      ],
      // Without a condition on the region: Lambda asks whether the role may do this before it makes the function, and a
      // key that its question lacks would refuse every private deployment. They read, and have no resource to name.
      resources: ["*"],
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
    { actions: ["dynamodb:UpdateItem"], resources: [tableArn], conditions: heartbeatConditions([cluster]) },
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
