// Pieces that several of our kinds share.
import { integer, list, map, object, oneOf, rule, type Schema, string } from "../schema/build.ts";

const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** The form of a quantity where a schema takes it as text only. */
export const quantityTextPattern = quantityPattern;

/** An amount of a resource: a whole number, or a text such as "1500m" or "2Gi". */
export const quantity: Schema<string | number> = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  pattern: quantityPattern,
  "x-kubernetes-int-or-string": true,
};

export const quantities = (description: string) => map(description, quantity);

const qualifiedName =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";
export const labelValuePattern = "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$";
export const labelKeyBounds = { maxLength: 316, pattern: qualifiedName };

/** A duration in hours, minutes and seconds, or "Never". */
export const durationOrNeverPattern = "^(([0-9]+(s|m|h))+|Never)$";
export const durationPattern = "^([0-9]+(s|m|h))+$";

const taint = object("", {
  required: {
    effect: oneOf("What happens to pods that don't tolerate the taint.", [
      "NoSchedule",
      "PreferNoSchedule",
      "NoExecute",
    ]),
    key: string("Key of the taint.", { minLength: 1, pattern: qualifiedName }),
  },
  optional: {
    timeAdded: string("When the taint was put on.", { format: "date-time" }),
    value: string("Value of the taint.", { pattern: qualifiedName }),
  },
});

export const taints = (description: string) => list(description, taint, { "x-kubernetes-list-type": "atomic" });

const notEmpty = (field: string) =>
  rule("self != ''", `nodeClassRef.${field} is empty; name the ${field} of the node class`);

/** Which node class describes the instances. */
export const nodeClassRef = (extra: { rules?: ReturnType<typeof rule>[] } = {}) =>
  object(
    "The node class that says what instances look like: image, network, disks, identity.",
    {
      required: {
        group: string("API group of the node class, such as karpenter.k8s.aws (without a version).", {
          pattern: "^[^/]*$",
          rules: [notEmpty("group")],
        }),
        kind: string("Kind of the node class, such as EC2NodeClass.", { rules: [notEmpty("kind")] }),
        name: string("Name of the node class.", { rules: [notEmpty("name")] }),
      },
    },
    extra,
  );

/** Labels of the AWS domain that a NodeOverlay may select by. */
const overlayLabels = [
  "ec2nodeclass",
  "instance-encryption-in-transit-supported",
  "instance-category",
  "instance-hypervisor",
  "instance-family",
  "instance-generation",
  "instance-local-nvme",
  "instance-size",
  "instance-cpu",
  "instance-cpu-manufacturer",
  "instance-cpu-sustained-clock-speed-mhz",
  "instance-memory",
  "instance-ebs-bandwidth",
  "instance-network-bandwidth",
  "instance-gpu-name",
  "instance-gpu-manufacturer",
  "instance-gpu-count",
  "instance-gpu-memory",
  "instance-accelerator-name",
  "instance-accelerator-manufacturer",
  "instance-accelerator-count",
  "instance-capability-flex",
];

/** Labels of the AWS domain that a node may be asked to have. */
const nodeLabels = [
  "instance-tenancy",
  "capacity-reservation-type",
  "capacity-reservation-id",
  "capacity-reservation-interruptible",
  ...overlayLabels,
  "placement-group-id",
  "placement-group-partition",
];

/** Holds for a label unless it lies in a domain (or one that ends like it) and is not one of the names allowed there. */
const inDomain = (label: string, domain: string, allowed: readonly string[]) => {
  const names = allowed.map((name) => `"${domain}/${name}"`).join(", ");
  return `${label} in [${names}] || !${label}.find("^([^/]+)").endsWith("${domain}")`;
};

type Restriction = { test: (label: string) => string; message: string };

const coreDomain: Restriction = {
  test: (label) => inDomain(label, "karpenter.sh", ["capacity-type", "nodepool"]),
  message:
    "labels of the domain karpenter.sh are reserved; only karpenter.sh/capacity-type may be used, remove the others",
};
const nodePoolLabel: Restriction = {
  test: (label) => `${label} != "karpenter.sh/nodepool"`,
  message: "karpenter.sh/nodepool is set from the NodePool's name; remove it",
};
const hostname: Restriction = {
  test: (label) => `${label} != "kubernetes.io/hostname"`,
  message: "kubernetes.io/hostname is different on every node; remove it",
};
const awsDomain = (allowed: readonly string[]): Restriction => ({
  test: (label) => inDomain(label, "karpenter.k8s.aws", allowed),
  message:
    "labels of the domain karpenter.k8s.aws are reserved and this one is not among those that can be asked for; remove it or correct its name",
});

const restrictions = {
  pool: [coreDomain, nodePoolLabel, hostname, awsDomain(nodeLabels)],
  claim: [coreDomain, hostname, awsDomain(nodeLabels)],
  overlay: [coreDomain, hostname, awsDomain(overlayLabels)],
};

/** Labels that a pool's nodes get, with the reserved ones refused. */
export const templateLabels = map(
  "Labels that the pool's nodes get, besides those that describe the instance.",
  string("", { maxLength: 63, pattern: labelValuePattern }),
  {
    maxProperties: 100,
    "x-kubernetes-map-type": "atomic",
    rules: restrictions.pool.map(({ test, message }) => rule(`self.all(x, ${test("x")})`, message)),
  },
);

export const operators = ["Gte", "Lte", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"] as const;

const minValues = integer(
  "Keep at least this many different values of the key possible, so that a launch stays flexible.",
  {
    minimum: 1,
    maximum: 50,
  },
);

const needsValues = (operator: string) =>
  rule(
    `self.all(x, x.operator == '${operator}' ? x.values.size() != 0 : true)`,
    `a requirement with operator ${operator} has no values; list at least one`,
  );
const oneBound = rule(
  "self.all(x, (x.operator == 'Gt' || x.operator == 'Lt' || x.operator == 'Gte' || x.operator == 'Lte') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)",
  "a requirement with operator Gt, Gte, Lt or Lte takes exactly one value, a whole number that is not negative",
);
const enoughValues = rule(
  "self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)",
  "a requirement has fewer values than its minValues; list more values or lower minValues",
);

function requirementFields(kind: keyof typeof restrictions) {
  return {
    required: {
      key: string("Label that the requirement is about.", {
        ...labelKeyBounds,
        rules: restrictions[kind].map(({ test, message }) => rule(test("self"), message)),
      }),
      operator: oneOf(
        "How the label's value relates to `values`. Gt, Gte, Lt and Lte compare whole numbers.",
        operators,
      ),
    },
    values: list(
      "The values that the operator takes: none for Exists and DoesNotExist, one for comparisons.",
      string(""),
      {
        maxLength: 63,
        pattern: labelValuePattern,
        "x-kubernetes-list-type": "atomic",
      },
    ),
  };
}

const atomicList = { maxItems: 100, "x-kubernetes-list-type": "atomic" } as const;

/** Requirements of a pool's or claim's nodes, with minValues. */
export function nodeRequirements(kind: "pool" | "claim", description: string) {
  const { required, values } = requirementFields(kind);
  const item = object("", { required, optional: { minValues, values } });
  return list(description, item, { ...atomicList, rules: [needsValues("In"), oneBound, enoughValues] });
}

/** Requirements that select the instance types of a NodeOverlay. */
export function overlayRequirements(description: string) {
  const { required, values } = requirementFields("overlay");
  const item = object("", { required, optional: { values } });
  return list(description, item, { ...atomicList, rules: [needsValues("NotIn"), needsValues("In"), oneBound] });
}

const reasonText = "Why the condition has its status, as one word in camel case.";
const conditionType =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

const conditionCore = {
  lastTransitionTime: string("When the status last changed.", { format: "date-time" }),
  status: oneOf("Whether the condition holds.", ["True", "False", "Unknown"]),
  type: string("What the condition is about.", { maxLength: 316, pattern: conditionType }),
};
const observedGeneration = integer("Generation of the object that the condition was worked out for.", {
  format: "int64",
  minimum: 0,
});
const conditionMessage = string("Details for people.", { maxLength: 32768 });

/** A status condition as Kubernetes' own type has it. */
export const condition = object("", {
  required: {
    ...conditionCore,
    message: conditionMessage,
    reason: string(reasonText, { minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" }),
  },
  optional: { observedGeneration },
});

/** A NodeClaim's condition: reason and message may be left out. */
export const looseCondition = object("", {
  required: conditionCore,
  optional: {
    message: conditionMessage,
    observedGeneration,
    reason: string(reasonText, { maxLength: 1024, pattern: "^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$" }),
  },
});

export const conditionsByType: { "x-kubernetes-list-type": "map"; "x-kubernetes-list-map-keys": string[] } = {
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
};
