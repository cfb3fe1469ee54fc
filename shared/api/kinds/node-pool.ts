import { type Infer, integer, list, map, object, oneOf, rule, string, withDefault } from "../schema/build.ts";
import { ageColumn, type CustomResource, readyColumn } from "./custom-resource.ts";
import {
  condition,
  conditionsByType,
  durationOrNeverPattern,
  durationPattern,
  nodeClassRef,
  nodeRequirements,
  quantities,
  taints,
  templateLabels,
} from "./parts.ts";

const budget = object("", {
  required: {
    nodes: withDefault(
      string("How many of the pool's nodes may go at once: a count, or a percentage of all of them (rounded up).", {
        pattern: "^((100|[0-9]{1,2})%|[0-9]+)$",
      }),
      "10%",
    ),
  },
  optional: {
    duration: string("How long the budget is in force after each start of `schedule`, in hours and minutes.", {
      pattern: "^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$",
    }),
    reasons: list(
      "Which reasons the budget limits. Left out, it limits all of them.",
      oneOf("", ["Underutilized", "Empty", "Drifted"]),
      { maxItems: 50, "x-kubernetes-list-type": "set" },
    ),
    schedule: string(
      "When the budget begins to be in force, as a cron expression of five fields or a macro such as @daily, in UTC. Needs `duration`. Left out, the budget is always in force.",
      { pattern: "^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$" },
    ),
  },
});

const disruption = object(
  "When and how fast the pool's nodes may be removed or replaced.",
  {
    required: {
      consolidateAfter: string(
        "How long a node must have been without change in its pods before consolidation looks at it. `Never` turns consolidation off.",
        { pattern: durationOrNeverPattern },
      ),
    },
    defaulted: {
      budgets: withDefault(
        list(
          "Limits on how many nodes may go at once. When several are in force, the smallest counts. None at all means no limit.",
          budget,
          {
            maxItems: 50,
            "x-kubernetes-list-type": "atomic",
            rules: [
              rule(
                "self.all(x, has(x.schedule) == has(x.duration))",
                "budgets: schedule and duration belong together; set both or neither",
              ),
            ],
          },
        ),
        [{ nodes: "10%" }],
      ),
      consolidationPolicy: withDefault(
        oneOf(
          "Which nodes consolidation looks at: empty ones only, or also those whose pods fit elsewhere for less; Balanced weighs savings against disruption.",
          ["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"],
        ),
        "WhenEmptyOrUnderutilized",
      ),
    },
  },
  { default: { consolidateAfter: "0s" } },
);

const templateSpec = object("What every node of the pool is like.", {
  required: {
    nodeClassRef: nodeClassRef({
      rules: [
        rule("self.group == oldSelf.group", "nodeClassRef.group cannot be changed; make a new NodePool instead"),
        rule("self.kind == oldSelf.kind", "nodeClassRef.kind cannot be changed; make a new NodePool instead"),
      ],
    }),
    requirements: nodeRequirements(
      "pool",
      "What instances the pool may launch, as requirements on the labels of their nodes. All must hold.",
    ),
  },
  defaulted: {
    expireAfter: withDefault(
      string("How old a node may become before it is replaced. `Never` lets it live.", {
        pattern: durationOrNeverPattern,
      }),
      "720h",
    ),
  },
  optional: {
    startupTaints: taints(
      "Taints that nodes start with and that something else takes off once the node is ready for pods.",
    ),
    taints: taints("Taints that the pool's nodes have for good."),
    terminationGracePeriod: string(
      "How long draining a node may take. After it, pods are deleted whatever their budgets and annotations say. Left out, draining waits for ever.",
      { pattern: durationPattern },
    ),
  },
});

const template = object("What the pool's nodes are made from.", {
  required: { spec: templateSpec },
  optional: {
    metadata: object("Labels and annotations that the pool's nodes get.", {
      optional: {
        annotations: map("Annotations that the pool's nodes get.", string(""), {
          "x-kubernetes-map-type": "granular",
        }),
        labels: templateLabels,
      },
    }),
  },
});

const spec = object(
  "What kind of nodes the pool may have, and how many.",
  {
    required: { template },
    defaulted: { disruption },
    optional: {
      limits: quantities(
        "Upper bounds of what the pool's nodes may have together, by resource; `nodes` bounds their number. With `replicas` only `nodes` may be given.",
      ),
      replicas: integer(
        "Keep exactly this many nodes, whatever the pods need (a static pool). Left out, nodes follow the pods.",
        { format: "int64", minimum: 0 },
      ),
      weight: integer("Pools of a higher weight are tried first. Not for static pools.", {
        format: "int32",
        minimum: 1,
        maximum: 100,
      }),
    },
  },
  {
    rules: [
      rule(
        "has(self.replicas) == has(oldSelf.replicas)",
        "spec.replicas cannot be added to or removed from a NodePool; make a new NodePool instead",
      ),
      rule(
        "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits))",
        "spec.limits of a pool with spec.replicas may only have nodes; remove the other limits",
      ),
      rule(
        "!has(self.replicas) || !has(self.weight)",
        "spec.weight has no meaning for a pool with spec.replicas; remove it",
      ),
    ],
  },
);

const status = object("What was last seen of the pool.", {
  defaulted: {
    nodes: withDefault(integer("How many nodes the pool has.", { format: "int64" }), 0),
  },
  optional: {
    conditions: list("Whether the pool is fit for use, and if not, why.", condition, conditionsByType),
    nodeClassObservedGeneration: integer(
      "Generation of the node class that NodeRegistrationHealthy was worked out for; another generation starts it anew.",
      { format: "int64" },
    ),
    resources: quantities("What the pool's nodes have together, by resource."),
  },
});

export type NodePoolSpec = Infer<typeof spec>;
export type NodePoolStatus = Infer<typeof status>;

export const nodePoolKind: CustomResource<NodePoolSpec, NodePoolStatus> = {
  group: "karpenter.sh",
  version: "v1",
  kind: "NodePool",
  plural: "nodepools",
  shortNames: [],
  categories: ["karpenter"],
  scope: "Cluster",
  description: "A NodePool says what nodes may be launched for pending pods, how many, and when they go again.",
  spec,
  specRequired: true,
  status,
  columns: [
    { name: "NodeClass", type: "string", jsonPath: ".spec.template.spec.nodeClassRef.name" },
    { name: "Nodes", type: "string", jsonPath: ".status.nodes" },
    readyColumn,
    { name: "Weight", type: "integer", jsonPath: ".spec.weight" },
    ageColumn,
    { name: "CPU", type: "string", jsonPath: ".status.resources.cpu", wide: true },
    { name: "Memory", type: "string", jsonPath: ".status.resources.memory", wide: true },
  ],
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.nodes" },
};
