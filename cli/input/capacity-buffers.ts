// CapacityBuffers of the input, with the templates and workloads of the input that they refer to.
import { toCapacityBuffer } from "../../shared/api/index.ts";
import type { CapacityBuffer } from "../../shared/core/model/index.ts";
import { converted } from "./converted.ts";
import { fieldsOf } from "./documents.ts";
import type { KindName, Objects } from "./objects.ts";

const referable: Readonly<Record<string, KindName>> = {
  PodTemplate: "/PodTemplate",
  Deployment: "apps/Deployment",
  ReplicaSet: "apps/ReplicaSet",
  StatefulSet: "apps/StatefulSet",
};

export function capacityBuffersOf(objects: Objects): CapacityBuffer[] {
  const find = (kind: string, namespace: string, name: string): unknown => {
    const among = Object.hasOwn(referable, kind) ? objects.of(referable[kind]!) : [];
    return among.find(({ document }) => {
      const metadata = fieldsOf(document.metadata);
      return metadata.namespace === namespace && metadata.name === name;
    })?.document;
  };
  return objects
    .of("autoscaling.x-k8s.io/CapacityBuffer")
    .map((source) => converted(source, (document) => toCapacityBuffer(document, find)));
}
