import { type Infer, integer, list, object, rule, string, withDefault } from "../schema/build.ts";
import { ageColumn, type CustomResource } from "./custom-resource.ts";
import { condition, conditionsByType, quantities } from "./parts.ts";

const podTemplateRef = (description: string) =>
  object(description, {
    required: { name: string("Name of the PodTemplate, in the same namespace.", { minLength: 1 }) },
  });

const spec = object(
  "How much room is kept free, and for what.",
  {
    defaulted: {
      provisioningStrategy: withDefault(
        string("How the room is kept. The one strategy that is known keeps nodes running for it."),
        "buffer.x-k8s.io/active-capacity",
      ),
    },
    optional: {
      limits: quantities("Keep no more than this, by resource."),
      percentage: integer("Room for this share of the scalable object's replicas, in per cent.", {
        format: "int32",
        minimum: 0,
      }),
      podTemplateRef: podTemplateRef("Room is counted in pods of this template."),
      replicas: integer("Room for this many pods.", { format: "int32", minimum: 0 }),
      scalableRef: object("Room is counted in pods of this object, which has a scale subresource.", {
        required: {
          kind: string("Kind of the object, such as Deployment.", { minLength: 1 }),
          name: string("Name of the object, in the same namespace.", { minLength: 1 }),
        },
        optional: { apiGroup: string("API group of the object; empty for the core group.") },
      }),
    },
  },
  {
    rules: [
      rule(
        "!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)",
        "spec.podTemplateRef alone doesn't say how much room to keep; set spec.replicas or spec.limits too",
      ),
      rule(
        "!(has(self.podTemplateRef) && has(self.scalableRef))",
        "spec.podTemplateRef and spec.scalableRef exclude each other; remove one of them",
      ),
    ],
  },
);

const status = object("What is being kept free.", {
  optional: {
    conditions: list("Whether the room is there, and if not, why.", condition, conditionsByType),
    podTemplateGeneration: integer("Generation of the PodTemplate that the status was worked out for.", {
      format: "int64",
    }),
    podTemplateRef: podTemplateRef("The template that is counted in."),
    provisioningStrategy: string("The strategy in use."),
    replicas: integer("How many pods room is kept for.", { format: "int32" }),
  },
});

export type CapacityBufferSpec = Infer<typeof spec>;
export type CapacityBufferStatus = Infer<typeof status>;

export const capacityBufferKind: CustomResource<CapacityBufferSpec, CapacityBufferStatus> = {
  group: "autoscaling.x-k8s.io",
  version: "v1beta1",
  kind: "CapacityBuffer",
  plural: "capacitybuffers",
  shortNames: ["cb"],
  categories: ["autoscaling"],
  scope: "Namespaced",
  description: "A CapacityBuffer keeps room for pods that don't exist yet, so that they needn't wait for a node.",
  spec,
  specRequired: true,
  status,
  columns: [
    { name: "Strategy", type: "string", jsonPath: ".spec.provisioningStrategy" },
    { name: "PodTemplate", type: "string", jsonPath: ".status.podTemplateRef.name" },
    { name: "Replicas", type: "integer", jsonPath: ".status.replicas" },
    { name: "ConditionsType", type: "string", jsonPath: ".status.conditions[*].type" },
    { name: "ConditionsStatus", type: "string", jsonPath: ".status.conditions[*].status" },
    { name: "ConditionsReason", type: "string", jsonPath: ".status.conditions[*].reason" },
    ageColumn,
  ],
};
