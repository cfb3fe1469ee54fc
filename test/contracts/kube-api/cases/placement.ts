// Pods that cannot be placed as they are written: which fields an API server complains of.
import type { Case, Step } from "../case.ts";
import { container, pod } from "../documents.ts";

const pods = "/api/v1/namespaces/{ns}/pods";
const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";
const labelSelector = { matchLabels: { app: "web" } };

/** A pod with this spec is refused for these fields of it. */
function refused(spec: object, ...fields: string[]): Step {
  return {
    send: `POST ${pods}`,
    body: pod("p", { spec: { containers: [container], ...spec } }),
    status: 422,
    reason: "Invalid",
    shape: { details: { causes: fields.map((field) => ({ field: `spec.${field}` })) } },
  };
}

const spread = (over: object) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector, ...over },
  ],
});
const atSpread = (field: string) => `topologySpreadConstraints[0].${field}`;
const term = (over: object) => ({ topologyKey: "zone", labelSelector, ...over });
const near = (over: object) => ({ affinity: { podAffinity: { [hard]: [term(over)] } } });
const atNear = (field: string) => `affinity.podAffinity.${hard}[0].${field}`;
const away = (weight: number) => ({
  affinity: { podAntiAffinity: { [soft]: [{ weight, podAffinityTerm: term({}) }] } },
});
const nodes = (...matchExpressions: object[]) => ({
  affinity: { nodeAffinity: { [hard]: { nodeSelectorTerms: [{ matchExpressions }] } } },
});
const atNodes = (field: string) => `affinity.nodeAffinity.${hard}.nodeSelectorTerms[0].matchExpressions[0].${field}`;
const nodeWish = (weight: number) => ({
  affinity: { nodeAffinity: { [soft]: [{ weight, preference: { matchExpressions: [] } }] } },
});
const ports = (...all: object[]) => ({ containers: [{ ...container, ports: all }] });
const atPort = (index: number, field: string) => `containers[0].ports[${index}].${field}`;

export const placementCases: readonly Case[] = [
  {
    title: "topology spread that cannot be is refused",
    steps: [
      refused(spread({ maxSkew: 0 }), atSpread("maxSkew")),
      refused(spread({ minDomains: -1 }), atSpread("minDomains")),
      refused(spread({ minDomains: 2, whenUnsatisfiable: "ScheduleAnyway" }), atSpread("minDomains")),
      refused(spread({ topologyKey: "" }), atSpread("topologyKey")),
      refused(spread({ whenUnsatisfiable: "Sometimes" }), atSpread("whenUnsatisfiable")),
      refused(spread({ nodeAffinityPolicy: "Maybe" }), atSpread("nodeAffinityPolicy")),
      refused(spread({ labelSelector: undefined, matchLabelKeys: ["rev"] }), atSpread("matchLabelKeys")),
      refused(spread({ matchLabelKeys: ["a b"] }), atSpread("matchLabelKeys[0]")),
      refused(
        { topologySpreadConstraints: [spread({}), spread({ maxSkew: 2 })].flatMap((s) => s.topologySpreadConstraints) },
        "topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}",
      ),
    ],
  },
  {
    title: "affinity that cannot be is refused",
    steps: [
      refused(near({ topologyKey: "a zone" }), atNear("topologyKey")),
      refused(
        near({ labelSelector: { matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] } }),
        atNear("labelSelector.matchExpressions[0].operator"),
      ),
      refused(near({ labelSelector: undefined, mismatchLabelKeys: ["rev"] }), atNear("mismatchLabelKeys")),
      refused(near({ namespaceSelector: { matchLabels: { "a b": "c" } } }), atNear("namespaceSelector.matchLabels")),
      refused(away(0), `affinity.podAntiAffinity.${soft}[0].weight`),
      refused(away(101), `affinity.podAntiAffinity.${soft}[0].weight`),
      refused(nodeWish(0), `affinity.nodeAffinity.${soft}[0].weight`),
      refused(nodes({ key: "a/b/c", operator: "Exists" }), atNodes("key")),
      refused(nodes({ key: "a", operator: "Like", values: ["b"] }), atNodes("operator")),
      refused(nodes({ key: "a", operator: "In" }), atNodes("values")),
      refused(nodes({ key: "a", operator: "Exists", values: ["b"] }), atNodes("values")),
      refused({ nodeSelector: { "-a": "b" } }, "nodeSelector"),
    ],
  },
  {
    title: "host ports that cannot be are refused",
    steps: [
      refused(ports({ containerPort: 80, hostPort: 70_000 }), atPort(0, "hostPort")),
      refused(ports({ containerPort: 80, hostPort: 80 }, { containerPort: 81, hostPort: 80 }), atPort(1, "hostPort")),
      refused(ports({ containerPort: 80, protocol: "HTTP" }), atPort(0, "protocol")),
      refused({ tolerations: [{ operator: "Equal", value: "x" }] }, "tolerations[0].operator"),
    ],
  },
];
