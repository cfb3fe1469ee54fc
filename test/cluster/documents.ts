// Documents that suites feed to API servers: manifests of the guide and of public repositories, where they are at hand.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Material beside the project that isn't part of it. */
export const shared = join(root, "..", "shared");

export interface Document {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

export interface NamedDocument {
  /** Where it comes from: file and position. */
  readonly source: string;
  readonly document: Document;
}

/** Every object of the YAML files in a folder and below. */
export function documentsIn(folder: string): NamedDocument[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith(".yaml") && statSync(file).isFile())
    .sort();
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, "utf8")).flatMap((parsed, index) => {
      const document = parsed.toJS() as Document | null;
      const source = `${relative(shared, file)} #${index + 1}`;
      return document === null || typeof document !== "object" ? [] : [{ source, document }];
    }),
  );
}

/** CustomResourceDefinitions of the chart, or of another folder. */
export function crdsIn(folder: string): Document[] {
  return documentsIn(folder).map(({ document }) => document);
}

export const ourCrdFolder = join(root, "charts/timmerman/files/crds");
/** What the embedded world applies: the project's own examples. */
export const ourExampleFolder = join(root, "local/manifests");
export const referenceCrdFolder = join(shared, "reference/crds");

/** The collection that serves our kinds, by kind. */
export const collections: Readonly<Record<string, string>> = {
  NodePool: "/apis/karpenter.sh/v1/nodepools",
  NodeClaim: "/apis/karpenter.sh/v1/nodeclaims",
  EC2NodeClass: "/apis/karpenter.k8s.aws/v1/ec2nodeclasses",
  NodeOverlay: "/apis/karpenter.sh/v1alpha1/nodeoverlays",
  CapacityBuffer: "/apis/autoscaling.x-k8s.io/v1beta1/namespaces/default/capacitybuffers",
};
