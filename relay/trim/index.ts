// Documents from the API server to what the relay keeps. Nothing of a document outlives this: texts that repeat are shared,
// the rest is copied by the parser. Documents that cannot be read are named by the error, and stand in nobody's way.
import { converting, type Document } from "../../shared/api/convert/fields.ts";
import type { KeptObjects, Kind } from "../objects.ts";
import { createPool, type Pool } from "./intern.ts";
import { trimBuffer, trimNodeClaim, trimNodeClass, trimNodePool, trimOverlay } from "./karpenter-objects.ts";
import { trimBudget, trimGenerational, trimNode, trimVolumeClaim } from "./kubernetes-objects.ts";
import { trimPod } from "./pod.ts";

/** Throws an UnreadableObjectError that names the object, the field and what is wrong. */
export type Trim = <K extends Kind>(kind: K, document: unknown) => KeptObjects[K];

const readers: { readonly [K in Kind]: (document: Document, pool: Pool) => KeptObjects[K] } = {
  Pod: trimPod,
  Node: trimNode,
  NodePool: trimNodePool,
  EC2NodeClass: trimNodeClass,
  NodeClaim: trimNodeClaim,
  PodDisruptionBudget: trimBudget,
  DaemonSet: trimGenerational,
  PersistentVolumeClaim: trimVolumeClaim,
  NodeOverlay: trimOverlay,
  CapacityBuffer: trimBuffer,
  PodTemplate: trimGenerational,
};

/** A trimmer with a pool of its own. */
export function createTrim(): Trim {
  const pool = createPool();
  return (kind, document) => converting(kind, document, (fields) => readers[kind](fields, pool));
}
