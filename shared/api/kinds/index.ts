// Our kinds, each from one source: the schema here yields the TypeScript type, the validation and the CRD.
// They answer to Karpenter 1.14.1's v1 API, field by field; descriptions and messages are our own.
import type { JsonSchemaProps } from "../schema/types.ts";
import { capacityBufferKind } from "./capacity-buffer.ts";
import { apiVersionOf, type CustomResource, rootSchema } from "./custom-resource.ts";
import { ec2NodeClassKind } from "./ec2-node-class.ts";
import { nodeClaimKind } from "./node-claim.ts";
import { nodeOverlayKind } from "./node-overlay.ts";
import { nodePoolKind } from "./node-pool.ts";

/** Every kind of ours, whatever its spec. */
export const customResources: readonly CustomResource<unknown, unknown>[] = [
  nodePoolKind,
  nodeClaimKind,
  ec2NodeClassKind,
  nodeOverlayKind,
  capacityBufferKind,
];

const schemas = new Map(customResources.map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, rootSchema(kind)]));

/** The schema of one of our kinds, or undefined for any other. The same object every time, so that rules compile once. */
export function schemaOf(apiVersion: string, kind: string): JsonSchemaProps | undefined {
  return schemas.get(`${apiVersion}/${kind}`);
}
