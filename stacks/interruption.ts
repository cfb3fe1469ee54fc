import type { QueueParts } from "./names.ts";
import { busText, type Foreigners } from "./policies-resources.ts";
import { policyText, trustOf } from "./policy-text.ts";
import { queuePolicy } from "./queues.ts";
import type { Home, Site } from "./sites.ts";

// EC2's and Health's events about instances, from the default bus of every place that has clusters, into one queue. Answers
// to the rules of Karpenter's CloudFormation template. It differs in that other regions and accounts are forwarded to the
// deployment's own bus: the default bus of its account, on which other people have rules, sees nothing foreign.

type Text = $util.Output<string>;

/** One rule for each: their patterns. What functions/interrupt reads of them is in shared/core/interruption. */
export const interruptionPatterns = {
  SpotInterruption: {
    source: ["aws.ec2"],
    "detail-type": ["EC2 Spot Instance Interruption Warning"],
  },
  Rebalance: {
    source: ["aws.ec2"],
    "detail-type": ["EC2 Instance Rebalance Recommendation"],
  },
  // Instances that start say nothing here, and are most of these events.
  StateChange: {
    source: ["aws.ec2"],
    "detail-type": ["EC2 Instance State-change Notification"],
    detail: { state: ["stopping", "stopped", "shutting-down", "terminated"] },
  },
  ScheduledChange: {
    source: ["aws.health"],
    "detail-type": ["AWS Health Event"],
    detail: { service: ["EC2"], eventTypeCategory: ["scheduledChange"] },
  },
  // EC2 writes both: the second for reservations that are interruptible by contract.
  CapacityReservation: {
    source: ["aws.ec2"],
    "detail-type": [
      "EC2 Capacity Reservation Instance Interruption Warning",
      "EC2 Interruptible Capacity Reservation Instance Interruption Warning",
    ],
  },
} as const;

export interface InterruptionOptions {
  readonly prefix: string;
  readonly home: Home;
  readonly sites: readonly Site[];
  readonly queue: QueueParts<Text>;
  readonly bus: sst.aws.Bus;
  readonly foreigners: Foreigners | undefined;
}

export function createInterruptionRules(options: InterruptionOptions): void {
  const { home, sites, queue, bus, foreigners } = options;
  const rules: aws.cloudwatch.EventRule[] = [];
  for (const site of sites) {
    const isHome = site.account === undefined && site.region === home.region;
    if (isHome) rules.push(...rulesOf(site, queue.arn, undefined));
    else rulesOf(site, bus.arn, forwarderOf(site, options));
  }
  if (sites.some((site) => site.account !== undefined || site.region !== home.region)) {
    rules.push(createForwardedRule(queue, bus));
  }
  if (foreigners !== undefined) {
    const policy = bus.arn.apply((arn) => busText(arn, foreigners));
    new aws.cloudwatch.EventBusPolicy("BusPolicy", { eventBusName: bus.name, policy });
  }
  new aws.sqs.QueuePolicy("InterruptPolicy", {
    queueUrl: queue.url,
    policy: queuePolicy(
      queue.arn,
      [
        {
          principal: { Service: "events.amazonaws.com" },
          condition: { ArnEquals: { "aws:SourceArn": rules.map((rule) => rule.arn) } },
        },
      ].slice(0, rules.length),
    ),
  });
}

function rulesOf(site: Site, target: Text, role: aws.iam.Role | undefined): readonly aws.cloudwatch.EventRule[] {
  return Object.entries(interruptionPatterns).map(([kind, pattern]) => {
    const title = `${kind}${site.title}`;
    const rule = new aws.cloudwatch.EventRule(
      `${title}Rule`,
      { description: `timmerman ${$app.stage}: instances of clusters`, eventPattern: JSON.stringify(pattern) },
      site.options,
    );
    new aws.cloudwatch.EventTarget(
      `${title}Target`,
      { rule: rule.name, arn: target, ...(role === undefined ? {} : { roleArn: role.arn }) },
      site.options,
    );
    return rule;
  });
}

/** The role that EventBridge takes to put a site's events on the deployment's bus. */
function forwarderOf(site: Site, { prefix, bus }: InterruptionOptions): aws.iam.Role {
  return new aws.iam.Role(
    `Forwarder${site.title}`,
    {
      namePrefix: `${prefix}-forward-`.slice(0, 38),
      assumeRolePolicy: aws
        .getCallerIdentityOutput({}, site.options)
        .accountId.apply((account) =>
          trustOf("events.amazonaws.com", { StringEquals: { "aws:SourceAccount": account } }),
        ),
      inlinePolicies: [
        {
          name: "forward",
          policy: bus.arn.apply((arn) => policyText([{ actions: ["events:PutEvents"], resources: [arn] }])),
        },
      ],
    },
    site.options,
  );
}

/** On the deployment's bus, everything of EC2 and Health is forwarded: decisions have a source of their own. */
function createForwardedRule(queue: QueueParts<Text>, bus: sst.aws.Bus): aws.cloudwatch.EventRule {
  const rule = new aws.cloudwatch.EventRule("ForwardedRule", {
    eventBusName: bus.name,
    description: `timmerman ${$app.stage}: instances of clusters elsewhere`,
    eventPattern: JSON.stringify({ source: ["aws.ec2", "aws.health"] }),
  });
  new aws.cloudwatch.EventTarget("ForwardedTarget", { eventBusName: bus.name, rule: rule.name, arn: queue.arn });
  return rule;
}
