import { type Infer, integer, list, map, object, rule, string } from "../schema/build.ts";
import { ageColumn, type CustomResource, readyColumn } from "./custom-resource.ts";
import { condition, conditionsByType, overlayRequirements, quantity } from "./parts.ts";

const spec = object(
  "Which instance types are seen differently, and how.",
  {
    required: {
      requirements: overlayRequirements("Which instance types the overlay is about, as requirements on their labels."),
    },
    optional: {
      capacity: map("Extended resources that these types are to be credited with.", quantity, {
        rules: [
          rule(
            "self.all(x, !(x in ['cpu', 'memory', 'ephemeral-storage', 'pods']))",
            "capacity is for extended resources; remove cpu, memory, ephemeral-storage and pods",
          ),
        ],
      }),
      price: string("Price to reckon with instead of the real one, in USD an hour.", { pattern: "^\\d+(\\.\\d+)?$" }),
      priceAdjustment: string(
        "What to add to the real price: an amount in USD an hour with its sign, or a percentage with its sign.",
        { pattern: "^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$" },
      ),
      weight: integer("Where several overlays say something about a type, the one of the highest weight counts.", {
        format: "int32",
        minimum: 1,
        maximum: 10000,
      }),
    },
  },
  {
    rules: [
      rule(
        "!has(self.price) || !has(self.priceAdjustment)",
        "spec.price and spec.priceAdjustment exclude each other; remove one of them",
      ),
    ],
  },
);

const status = object("What was last found about the overlay.", {
  optional: {
    conditions: list("Whether the overlay is in use, and if not, why.", condition, conditionsByType),
  },
});

export type NodeOverlaySpec = Infer<typeof spec>;
export type NodeOverlayStatus = Infer<typeof status>;

export const nodeOverlayKind: CustomResource<NodeOverlaySpec, NodeOverlayStatus> = {
  group: "karpenter.sh",
  version: "v1alpha1",
  kind: "NodeOverlay",
  plural: "nodeoverlays",
  shortNames: ["overlays"],
  categories: ["karpenter"],
  scope: "Cluster",
  description:
    "A NodeOverlay changes how instance types are seen when nodes are chosen: their price or extended resources.",
  spec,
  specRequired: true,
  status,
  columns: [readyColumn, ageColumn, { name: "Weight", type: "integer", jsonPath: ".spec.weight", wide: true }],
};
