// The objects that the cases use.

export const container = { name: "main", image: "registry.example/app:1.0" };

export function pod(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { spec, ...metadata } = more;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [container], ...(spec as object) },
  };
}

export function configMap(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { data, ...metadata } = more;
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data: data ?? { key: "value" } };
}

export function deployment(name: string, spec: Record<string, unknown> = {}): Record<string, unknown> {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
      ...spec,
    },
  };
}

export function budget(name: string, spec: Record<string, unknown>): Record<string, unknown> {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name }, spec };
}

export function eviction(name: string, deleteOptions?: Record<string, unknown>): Record<string, unknown> {
  return { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, ...(deleteOptions ? { deleteOptions } : {}) };
}

/** A custom resource with defaults, bounds, a CEL rule, subresources and columns: what our own kinds lean on. */
export const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.suite.example.com" },
  spec: {
    group: "suite.example.com",
    scope: "Namespaced",
    names: {
      kind: "Widget",
      plural: "widgets",
      singular: "widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
      categories: ["all"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.size",
            statusReplicasPath: ".status.size",
            labelSelectorPath: ".status.selector",
          },
        },
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: "Note", type: "string", priority: 1, jsonPath: ".spec.note" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                required: ["colour"],
                "x-kubernetes-validations": [
                  { rule: "self.size >= self.least", message: "size must not be below least" },
                  { rule: "self.colour == oldSelf.colour", message: "colour is fixed" },
                ],
                properties: {
                  size: { type: "integer", default: 1, minimum: 0, maximum: 10 },
                  least: { type: "integer", default: 0 },
                  colour: { type: "string", enum: ["red", "green", "blue"] },
                  note: { type: "string", maxLength: 20, pattern: "^[a-z ]*$" },
                  tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set", maxItems: 3 },
                  parts: {
                    type: "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string" }, weight: { type: "integer", default: 5 } },
                    },
                  },
                  limits: {
                    type: "object",
                    additionalProperties: {
                      "x-kubernetes-int-or-string": true,
                      anyOf: [{ type: "integer" }, { type: "string" }],
                    },
                  },
                },
              },
              status: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  selector: { type: "string" },
                  conditions: {
                    type: "array",
                    items: { type: "object", properties: { type: { type: "string" }, status: { type: "string" } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

export function widget(name: string, spec: Record<string, unknown>): Record<string, unknown> {
  return { apiVersion: "suite.example.com/v1", kind: "Widget", metadata: { name }, spec };
}
