import { type Infer, list, object, rule, string, withDefault } from "../schema/build.ts";
import { ageColumn, type CustomResource, type Resource, readyColumn } from "./custom-resource.ts";
import {
  conditionsByType,
  durationOrNeverPattern,
  durationPattern,
  looseCondition,
  nodeClassRef,
  nodeRequirements,
  quantities,
  taints,
} from "./parts.ts";

const spec = object(
  "What node was asked for.",
  {
    required: {
      nodeClassRef: nodeClassRef(),
      requirements: nodeRequirements("claim", "What the node must be, as requirements on its labels. All must hold."),
    },
    defaulted: {
      expireAfter: withDefault(
        string("How old the node may become before it is replaced. `Never` lets it live.", {
          pattern: durationOrNeverPattern,
        }),
        "720h",
      ),
    },
    optional: {
      resources: object("What the node must have room for.", {
        optional: { requests: quantities("Sum of what the pods that it was made for ask for, daemons included.") },
      }),
      startupTaints: taints("Taints that the node starts with and that something else takes off again."),
      taints: taints("Taints that the node has for good."),
      terminationGracePeriod: string(
        "How long draining the node may take. After it, pods are deleted whatever their budgets and annotations say.",
        { pattern: durationPattern },
      ),
    },
  },
  {
    rules: [
      rule(
        "self == oldSelf",
        "the spec of a NodeClaim cannot be changed; delete the NodeClaim and let a new one be made",
      ),
    ],
  },
);

const status = object("What became of it.", {
  optional: {
    allocatable: quantities("What the node has for pods."),
    capacity: quantities("What the node has altogether."),
    conditions: list("How far the node has come, and what was found about it since.", looseCondition, conditionsByType),
    imageID: string("Image that the instance was started from."),
    lastPodEventTime: string("When a pod last came to the node, left it or ended on it.", { format: "date-time" }),
    nodeName: string("Name of the node."),
    providerID: string("The instance, as aws:///zone/instance-id."),
  },
});

export type NodeClaimSpec = Infer<typeof spec>;
export type NodeClaimStatus = Infer<typeof status>;
export type NodeClaimResource = Resource<NodeClaimSpec, NodeClaimStatus>;

export const nodeClaimKind: CustomResource<NodeClaimSpec, NodeClaimStatus> = {
  group: "karpenter.sh",
  version: "v1",
  kind: "NodeClaim",
  plural: "nodeclaims",
  shortNames: [],
  categories: ["karpenter"],
  scope: "Cluster",
  description:
    "A NodeClaim is one node that was decided on: asked for, launched, joined, and some day removed. Deleting it removes the node.",
  spec,
  specRequired: true,
  status,
  columns: [
    { name: "Type", type: "string", jsonPath: ".metadata.labels.node\\.kubernetes\\.io/instance-type" },
    { name: "Capacity", type: "string", jsonPath: ".metadata.labels.karpenter\\.sh/capacity-type" },
    { name: "Zone", type: "string", jsonPath: ".metadata.labels.topology\\.kubernetes\\.io/zone" },
    { name: "Node", type: "string", jsonPath: ".status.nodeName" },
    readyColumn,
    ageColumn,
    { name: "ImageID", type: "string", jsonPath: ".status.imageID", wide: true },
    { name: "ID", type: "string", jsonPath: ".status.providerID", wide: true },
    { name: "NodePool", type: "string", jsonPath: ".metadata.labels.karpenter\\.sh/nodepool", wide: true },
    { name: "NodeClass", type: "string", jsonPath: ".spec.nodeClassRef.name", wide: true },
    {
      name: "Drifted",
      type: "string",
      jsonPath: '.status.conditions[?(@.type=="Drifted")].status',
      wide: true,
    },
  ],
};
