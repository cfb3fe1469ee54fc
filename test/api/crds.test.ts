import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { crdFileName, crdYaml } from "../../shared/api/crds/crd.ts";
import { customResources, parseResource, schemaOf } from "../../shared/api/index.ts";
import { apiVersionOf } from "../../shared/api/kinds/custom-resource.ts";
import { applyDefaults, type Json, type JsonSchemaProps } from "../../shared/api/schema/index.ts";
import { judgeBy, readDocuments, readSchemas } from "./crd-kinds.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ownFolder = "charts/timmerman/files/crds";
const referenceFolder = "../shared/reference/crds";
const hasReference = existsSync(`${root}${referenceFolder}`);
const skipped = hasReference ? "" : ` (skipped: ${referenceFolder} is absent)`;

describe("the CRDs of the chart", () => {
  it("are what `npm run crds` writes", () => {
    const expected = Object.fromEntries(customResources.map((kind) => [crdFileName(kind), crdYaml(kind)]));
    const written = Object.fromEntries(
      readdirSync(`${root}${ownFolder}`).map((file) => [file, readFileSync(`${root}${ownFolder}/${file}`, "utf8")]),
    );
    expect(written).toEqual(expected);
  });

  it("describe every field", () => {
    const bare: string[] = [];
    const visit = (schema: JsonSchemaProps, path: string) => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const at = `${path}.${name}`;
        if (field.description === undefined && !at.endsWith(".metadata")) bare.push(at);
        visit(field, at);
      }
      if (schema.items !== undefined) visit(schema.items, `${path}[]`);
      if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties, `${path}{}`);
    };
    for (const kind of customResources) visit(schemaOf(apiVersionOf(kind), kind.kind)!, kind.kind);
    expect(bare).toEqual([]);
  });

  it("show NAME, NODECLASS, WEIGHT and AGE of a pool in this order", () => {
    const [version] = (parse(readFileSync(`${root}${ownFolder}/karpenter.sh_nodepools.yaml`, "utf8")) as Crd).spec
      .versions;
    const narrow = version!.additionalPrinterColumns.filter(({ priority }) => !priority).map(({ name }) => name);
    expect(narrow).toEqual(["NodeClass", "Nodes", "Ready", "Weight", "Age"]);
  });

  it("show of a claim what Karpenter's show", () => {
    const [version] = (parse(readFileSync(`${root}${ownFolder}/karpenter.sh_nodeclaims.yaml`, "utf8")) as Crd).spec
      .versions;
    expect(version!.additionalPrinterColumns.map(({ name, priority }) => `${name}${priority ? "*" : ""}`)).toEqual([
      ...["Type", "Capacity", "Zone", "Node", "Ready", "Age"],
      ...["ImageID*", "ID*", "NodePool*", "NodeClass*", "Drifted*"],
    ]);
  });
});

interface Crd {
  spec: { versions: { additionalPrinterColumns: { name: string; priority?: number }[] }[] };
}

/** A label that one rule of the published CRDs names twice in a row; once is as good. */
const twice = '"karpenter.k8s.aws/capacity-reservation-interruptible", ';

/** A schema without its prose, its lists of names in order. */
function bones(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bones);
  if (typeof value === "string") return value.replace(twice + twice, twice);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => !((key === "description" || key === "message") && typeof field === "string"))
      .map(([key, field]) => [key, key === "required" && Array.isArray(field) ? [...field].sort() : bones(field)]),
  );
}

/** Every sentence of a schema: descriptions, and messages of rules. */
function prose(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(prose);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    (key === "description" || key === "message") && typeof field === "string" ? [field] : prose(field),
  );
}

describe.skipIf(!hasReference)(`beside the published CRDs${skipped}`, () => {
  const published = hasReference ? readSchemas(referenceFolder) : new Map<string, JsonSchemaProps>();
  const own = readSchemas(ownFolder);

  it.each([...own.keys()])("%s has the same fields, bounds, defaults and rules", (name) => {
    expect(bones(own.get(name))).toEqual(bones(published.get(name)));
  });

  it("no sentence is theirs", () => {
    const theirs = new Set([...published.values()].flatMap(prose));
    expect([...own.values()].flatMap(prose).filter((sentence) => theirs.has(sentence))).toEqual([]);
  });

  it.each([
    "../shared/guide",
    "../shared/data/manifests",
    "../shared/data/examples/v1",
    "../shared/data/examples/workloads",
  ])("every document in %s gets the same verdict", (folder) => {
    const [ours, theirs] = [judgeBy(own), judgeBy(published)];
    const documents = readDocuments(folder).filter(({ document }) =>
      published.has(`${document.apiVersion}/${document.kind}`),
    );
    const differing = documents.filter(({ document }) => ours(document) !== theirs(document));
    expect(differing.map(({ file, document }) => `${file} ${document.kind}`)).toEqual([]);
    const kindOf = (document: { kind: string }) => customResources.find(({ kind }) => kind === document.kind)!;
    const parsing = documents.filter(
      ({ document }) => parseResource(kindOf(document), document).ok !== (theirs(document) === "accepted"),
    );
    expect(parsing).toEqual([]);
  });
});

describe("defaults", () => {
  const own = readSchemas(ownFolder);

  it.each<[string, Json, Json]>([
    [
      "karpenter.sh/v1/NodePool",
      { spec: { template: { spec: {} } }, status: {} },
      {
        spec: {
          template: { spec: { expireAfter: "720h" } },
          disruption: {
            consolidateAfter: "0s",
            budgets: [{ nodes: "10%" }],
            consolidationPolicy: "WhenEmptyOrUnderutilized",
          },
        },
        status: { nodes: 0 },
      },
    ],
    ["karpenter.sh/v1/NodeClaim", { spec: {} }, { spec: { expireAfter: "720h" } }],
    [
      "karpenter.k8s.aws/v1/EC2NodeClass",
      { spec: {}, status: { capacityReservations: [{ id: "cr-1" }] } },
      {
        spec: {
          metadataOptions: {
            httpEndpoint: "enabled",
            httpProtocolIPv6: "disabled",
            httpPutResponseHopLimit: 1,
            httpTokens: "required",
          },
        },
        status: { capacityReservations: [{ id: "cr-1", reservationType: "default", state: "active" }] },
      },
    ],
    [
      "autoscaling.x-k8s.io/v1beta1/CapacityBuffer",
      { spec: {} },
      { spec: { provisioningStrategy: "buffer.x-k8s.io/active-capacity" } },
    ],
    ["karpenter.sh/v1alpha1/NodeOverlay", { spec: {} }, { spec: {} }],
  ])("of %s are the same from the source and from the CRD", (name, given, expected) => {
    const kind = customResources.find((one) => `${apiVersionOf(one)}/${one.kind}` === name)!;
    expect(applyDefaults(schemaOf(apiVersionOf(kind), kind.kind)!, given)).toEqual(expected);
    expect(applyDefaults(own.get(name)!, given)).toEqual(expected);
  });
});

describe("on any JSON in place of a spec", () => {
  const fields = [
    "template",
    "spec",
    "requirements",
    "key",
    "values",
    "disruption",
    "budgets",
    "limits",
    "taints",
    "kubelet",
  ];
  const selectors = [
    "amiSelectorTerms",
    "alias",
    "tags",
    "status",
    "conditions",
    "type",
    "metadataOptions",
    "networkInterfaces",
  ];
  const nested = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue(),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fields, ...selectors), tie("node"), { maxKeys: 5 }),
    ),
  })).node;

  it.each(customResources.map((kind) => [kind.kind, kind] as const))(
    "%s: errors are data, defaults are idempotent",
    (_, kind) => {
      const schema = schemaOf(apiVersionOf(kind), kind.kind)!;
      fc.assert(
        fc.property(nested, nested, (spec, status) => {
          const document = { metadata: { name: "x" }, spec, status } as Json;
          parseResource(kind, document, { metadata: { name: "x" }, spec: status });
          const once = applyDefaults(schema, document);
          expect(applyDefaults(schema, once)).toEqual(once);
        }),
        { numRuns: 50 },
      );
    },
  );
});
